import type { AppContext } from '#core/context.ts'
import type { DatabaseTables, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { DeliveryCounts, DeliveryTrace, TraceListener } from '#core/realtime/bus.ts'
import { encodeCounts } from './window-counts.ts'

type CountRow = DatabaseTables['delivery_counts']
/** The primary key of `delivery_counts`, without the hour. */
export type CountKey = Pick<CountRow, 'channel' | 'outcome'> & Partial<Pick<CountRow, 'provider' | 'reason'>>

/** In ms, between storing. */
const FLUSH_DELAY = 1000
/** Kept in memory: events, and channel counts in all of them. */
const MAX_WAITING = { events: 5000, counts: 500_000 }
/** Rows that one statement inserts. */
const BATCH = 100
/** Between two flushes. Above this number, push services are counted together as `other`. */
const MAX_PROVIDERS = 200

interface WaitingEvent {
  trace: DeliveryTrace
  written: DeliveryCounts
}

/**
 * Stores once a second in a few statements, so that delivering an event writes nothing to the database. If
 * too many events wait, for example for a slow database, the oldest are thrown away and counted as lost. A
 * killed process loses at most the last second.
 */
class Recorder {
  private readonly context: Pick<AppContext, 'db' | 'log'>
  private events = new Map<string, WaitingEvent>()
  private waitingCounts = 0
  private counts = new Map<string, CountRow>()
  private timer: NodeJS.Timeout | undefined
  private storing: Promise<void> = Promise.resolve()

  constructor(context: Pick<AppContext, 'db' | 'log'>) {
    this.context = context
  }

  /** Windows to which this process has written the event. */
  readonly addLive: TraceListener = (trace, written) => {
    const key = `${trace.kind} ${trace.id} ${trace.at}`
    const known = this.events.get(key)
    if (known) addCounts(known.written, written)
    else this.events.set(key, { trace, written })
    this.waitingCounts += written.counts.length
    while (this.events.size > MAX_WAITING.events || this.waitingCounts > MAX_WAITING.counts) this.loseOldest()
    this.schedule()
  }

  private loseOldest() {
    const [key, { written }] = this.events.entries().next().value!
    this.events.delete(key)
    this.waitingCounts -= written.counts.length
    this.add({ channel: 'live', outcome: 'lost' })
  }

  /** `pausedUntil`: no requests to the push service until then; null for no pause. */
  add(key: CountKey, count = 1, pausedUntil: string | null = null) {
    if (!count) return
    const now = new Date().toISOString()
    const isKnown = this.counts.size < MAX_PROVIDERS
    const row = {
      hour: now.slice(0, 13),
      ...{ channel: key.channel, outcome: key.outcome, reason: key.reason ?? '' },
      provider: isKnown || !key.provider ? (key.provider ?? '') : 'other',
    }
    const name = Object.values(row).join(' ')
    const before = this.counts.get(name)
    this.counts.set(name, {
      ...row,
      count: (before?.count ?? 0) + count,
      last_at: now,
      paused_until: pausedUntil ?? before?.paused_until ?? null,
    })
    this.schedule()
  }

  private schedule() {
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_DELAY).unref()
  }

  /** Resolves when all is stored, or an error was logged. */
  flush() {
    clearTimeout(this.timer)
    this.timer = undefined
    this.storing = this.storing.then(() => this.store())
    return this.storing
  }

  private async store() {
    const events = [...this.events.values()]
    this.events = new Map()
    this.waitingCounts = 0
    const rows = events.map(({ trace, written }) => {
      const { windows, total } = encodeCounts(written)
      this.add({ channel: 'live', outcome: 'shown' }, total)
      const { kind: subject_kind, id: subject_id, at: broadcast_at } = trace
      return { subject_kind, subject_id, broadcast_at, windows }
    })
    const counts = [...this.counts.values()]
    this.counts = new Map()
    clearTimeout(this.timer)
    this.timer = undefined
    if (!rows.length && !counts.length) return
    const { db, log } = this.context
    await transaction(db, async (tx) => {
      for (let at = 0; at < rows.length; at += BATCH)
        await tx
          .insertInto('live_deliveries')
          .values(rows.slice(at, at + BATCH))
          .execute()
      await storeCounts(tx, counts)
    }).catch((error: unknown) => log.warn({ err: error }, 'How live events arrived could not be stored'))
  }
}

/** The channels of an event may be delivered in several parts. */
function addCounts(to: DeliveryCounts, { channels, counts }: DeliveryCounts) {
  for (let index = 0; index < channels.length; index++) {
    to.channels.push(channels[index]!)
    to.counts.push(counts[index]!)
  }
}

/** All processes change the rows in the same order, so that there is no deadlock. */
async function storeCounts(tx: Tx, counts: readonly CountRow[]) {
  if (!counts.length) return
  const toKey = ({ hour, channel, provider, outcome, reason }: CountRow) =>
    [hour, channel, provider, outcome, reason].join(' ')
  const sorted = counts.toSorted((a, b) => (toKey(a) < toKey(b) ? -1 : 1))
  await tx
    .insertInto('delivery_counts')
    .values(sorted)
    .onConflict((conflict) =>
      conflict.columns(['hour', 'channel', 'provider', 'outcome', 'reason']).doUpdateSet((row) => ({
        count: row('delivery_counts.count', '+', row.ref('excluded.count')),
        last_at: row.ref('excluded.last_at'),
        paused_until: row.ref('excluded.paused_until'),
      })),
    )
    .execute()
}

const recorders = new WeakMap<AppContext['realtime'], Recorder>()

/** One for each app. */
export function getRecorder(context: AppContext) {
  const known = recorders.get(context.realtime)
  if (known) return known
  const created = new Recorder(context)
  recorders.set(context.realtime, created)
  return created
}
