import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'
import * as jobResults from '#core/jobs/results.ts'
import '#features/digest/model.ts'
import * as pushDevices from '#features/push/read.ts'
import { type ChannelHealth, type DeliveryHealth, type ProviderHealth, RETENTION_DAYS } from './contract.ts'
import type { CountedOutcome } from './tables.ts'

const HOUR = 3600_000
const MAX_PROVIDERS = 50
/** One row for each channel, push service, outcome and reason. */
const MAX_ROWS = 2000

type Row = Awaited<ReturnType<typeof readCounts>>[number]

const toHour = (age: number) => new Date(Date.now() - age).toISOString().slice(0, 13)

/** In the last day and in the last seven days. */
async function readCounts(db: Db) {
  const day = toHour(24 * HOUR)
  const rows = await db
    .selectFrom('delivery_counts')
    .select(['channel', 'provider', 'outcome', 'reason'])
    .select(({ fn }) => [
      fn.sum('count').as('week'),
      sql<number>`sum(case when hour > ${day} then count else 0 end)`.as('day'),
      fn.max('last_at').as('last_at'),
      fn.max('paused_until').as('paused_until'),
    ])
    .where('hour', '>', toHour(RETENTION_DAYS * 24 * HOUR))
    .groupBy(['channel', 'provider', 'outcome', 'reason'])
    .orderBy('week', 'desc')
    .limit(MAX_ROWS)
    .execute()
  return rows.map((row) => ({ ...row, week: Number(row.week), day: Number(row.day) }))
}

const sumCounts = (rows: readonly Pick<Row, 'day' | 'week'>[]) => ({
  day: rows.reduce((sum, { day }) => sum + day, 0),
  week: rows.reduce((sum, { week }) => sum + week, 0),
})
const findNewest = (times: readonly (string | null)[]) =>
  times.reduce((newest, time) => (time !== null && time > (newest ?? '') ? time : newest), null)

const successes: readonly CountedOutcome[] = ['shown', 'accepted', 'sent']
const refusals: readonly CountedOutcome[] = ['refused', 'gone', 'lost']
const delays: readonly CountedOutcome[] = ['delayed', 'deferred']

function toChannelHealth(channel: ChannelHealth['channel'], all: readonly Row[]): ChannelHealth {
  const rows = all.filter((row) => row.channel === channel)
  const having = (outcomes: readonly CountedOutcome[]) =>
    rows.filter(({ outcome }) => outcomes.includes(outcome))
  return {
    channel,
    last_success_at: findNewest(having(successes).map(({ last_at }) => last_at)),
    accepted: sumCounts(having(successes)),
    refused: sumCounts(having(refusals)),
    delayed: sumCounts(having(delays)),
    waiting: 0,
    oldest_waiting_at: null,
  }
}

function toProviderHealth(host: string, rows: readonly Row[]): ProviderHealth {
  const accepted = rows.filter(({ outcome }) => outcome === 'accepted')
  const byReason = Map.groupBy(
    rows.filter(({ outcome }) => outcome !== 'accepted'),
    ({ reason }) => reason,
  )
  const last_success_at = findNewest(accepted.map(({ last_at }) => last_at))
  const paused_until = findNewest(rows.map((row) => row.paused_until))
  const lastSilence = findNewest(
    rows.filter((row) => row.paused_until !== null).map(({ last_at }) => last_at),
  )
  const isPaused = paused_until !== null && Date.parse(paused_until) > Date.now()
  return {
    host,
    last_success_at,
    accepted: sumCounts(accepted),
    failures: [...byReason].map(([reason, some]) => ({ reason, ...sumCounts(some) })),
    // A push service that has answered since then is no longer paused.
    paused_until: isPaused && (lastSilence ?? '') >= (last_success_at ?? '') ? paused_until : null,
  }
}

const none = { day: 0, week: 0 }

/** Names no members, and has no contents. */
export async function getHealth({ db, config }: Pick<AppContext, 'db' | 'config'>): Promise<DeliveryHealth> {
  const [rows, queue, mails] = await Promise.all([readCounts(db), pushDevices.getBacklog(db), readMails(db)])
  const sent = config.SMTP_URL ? mails : { last_success_at: null, accepted: none }
  const live = toChannelHealth('live', rows)
  const push = toChannelHealth('push', rows)
  const mail = toChannelHealth('mail', rows)
  const providers = Map.groupBy(
    rows.filter(({ channel }) => channel === 'push'),
    ({ provider }) => provider,
  )
  return {
    channels: [
      live,
      { ...push, waiting: queue.count, oldest_waiting_at: queue.oldest },
      {
        ...mail,
        last_success_at: findNewest([mail.last_success_at, sent.last_success_at]),
        accepted: sumCounts([mail.accepted, sent.accepted]),
        ...(!config.SMTP_URL && { written: sumCounts([mails.accepted]) }),
        refused: sumCounts([mail.refused, mails.refused]),
        waiting: mails.waiting,
        oldest_waiting_at: mails.oldest_waiting_at,
      },
    ],
    push_providers: [...providers]
      .slice(0, MAX_PROVIDERS)
      .map(([host, some]) => toProviderHealth(host, some)),
  }
}

/** Digests are not among the sent and refused mails. */
async function readMails(db: Db) {
  const toTime = (age: number) => new Date(Date.now() - age).toISOString()
  const since = { day: toTime(24 * HOUR), week: toTime(RETENTION_DAYS * 24 * HOUR) }
  const [{ finished, failed }, waiting] = await Promise.all([
    jobResults.countEnded(db, 'mail', since),
    jobResults.unfinished(db, ['mail', 'digest_mail']),
  ])
  return {
    ...{ last_success_at: finished.last, accepted: finished, refused: failed },
    ...{ waiting: waiting.count, oldest_waiting_at: waiting.oldest },
  }
}
