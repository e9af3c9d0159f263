import { type Expression, sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { DatabaseTables, Db } from '#core/database/database.ts'
import * as digestSettings from '#features/digest/settings.ts'
import { instantKinds, isOffAtFirst, type NotificationKind } from '#features/notifications/contract.ts'
import * as notificationSettings from '#features/notifications/settings.ts'
import * as pushDevices from '#features/push/read.ts'
import type { DeliveryStep } from './contract.ts'
import { decodeCount } from './window-counts.ts'

/** `created_at` of a notification is the time of its newest event. */
export interface TracedItem {
  kind: 'message' | 'notification'
  id: number
  created_at: string
  /** Null for a message. */
  notificationKind: NotificationKind | null
  /** Null unless the kind is `announcement`. */
  announcedPost: number | null
  /** False for a notification. */
  is_muted: boolean
}

type StepRow = Pick<
  DatabaseTables['delivery_steps'],
  'outcome' | 'reason' | 'until_time' | 'device' | 'created_at'
>

/** The newest ones of each message or notification, so that many events in one hide no steps of others. */
const MAX_STEPS = 20
/** Rows of one member. */
const MAX_DIGEST_STEPS = 2000
/** Rows of one message or notification. Each server process may store a few. */
const MAX_LIVE_ROWS = 100
/** In ms. Unknown from then on, if nothing is stored about the live event or push message. */
const PENDING_TIME = 60_000

const createStep = (
  channel: DeliveryStep['channel'],
  outcome: DeliveryStep['outcome'],
  fields: Partial<DeliveryStep> = {},
): DeliveryStep => ({
  channel,
  outcome,
  reason: null,
  until: null,
  windows: null,
  device: null,
  at: null,
  ...fields,
})

const toKey = ({ kind, id }: { kind: string; id: number }) => `${kind} ${id}`

/** Returns a function for one message or notification. */
export async function stepLookup(viewer: MemberContext, items: readonly TracedItem[]) {
  const [live, pushed, waiting, digests, facts] = await Promise.all([
    readLiveRows(viewer, items),
    readPushSteps(viewer, items),
    readWaiting(viewer, items),
    readDigestSteps(viewer),
    readFacts(viewer),
  ])
  return (item: TracedItem): DeliveryStep[] => {
    const key = toKey(item)
    const liveKey = toKey(toLiveSubject(item))
    const recorded = combinePushSteps(pushed.get(key) ?? [], waiting.get(key) ?? [])
    return [
      createStep('app', 'stored', { at: item.created_at }),
      ...toLiveSteps(viewer.me.id, item, live.get(liveKey) ?? []),
      ...(recorded.length ? recorded.slice(-MAX_STEPS) : [explainNoPush(item, facts)]),
      ...toMailSteps(item, digests, facts),
    ]
  }
}

const idsOf = (items: readonly TracedItem[], kind: TracedItem['kind']) =>
  items.flatMap((item) => (item.kind === kind ? item.id : []))

/** With `union all`, because each has its own `limit`. */
async function readRowsOfQueries<Row>(db: Db, queries: readonly Expression<Row>[]) {
  if (!queries.length) return []
  const parts = queries.map((query) => sql`select * from (${query}) as part`)
  return (await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(db)).rows
}

const groupByItem = <Row extends { subject_kind: string; subject_id: number }>(rows: readonly Row[]) =>
  Map.groupBy(rows, ({ subject_kind, subject_id }) => `${subject_kind} ${subject_id}`)

/** All notifications about an announced post have one event, which is stored under the post. */
const toLiveSubject = ({ kind, id, announcedPost }: TracedItem) =>
  announcedPost === null ? { kind, id } : { kind: 'announcement' as const, id: announcedPost }

/**
 * A notification has a live event for each thing that happened. Reads only that of the newest one that the
 * viewer may see, by its time: the times of the others would show when a hidden person acted.
 */
async function readLiveRows({ db }: MemberContext, items: readonly TracedItem[]) {
  const queries = items.map((item) => {
    const { kind, id } = toLiveSubject(item)
    return db
      .selectFrom('live_deliveries')
      .select(['subject_kind', 'subject_id', 'broadcast_at', 'windows'])
      .where('subject_kind', '=', kind)
      .where('subject_id', '=', id)
      .$if(kind !== 'message', (query) => query.where('broadcast_at', '=', item.created_at))
      .orderBy('broadcast_at', 'desc')
      .limit(MAX_LIVE_ROWS)
  })
  return groupByItem(await readRowsOfQueries(db, queries))
}

/** Adds up all server processes. A message may have several events, each for other members. */
function toLiveSteps(
  me: number,
  item: TracedItem,
  rows: readonly { broadcast_at: string; windows: string }[],
): DeliveryStep[] {
  const at = rows.reduce((newest, { broadcast_at }) => (broadcast_at > newest ? broadcast_at : newest), '')
  const windows = rows.reduce((sum, row) => sum + decodeCount(row.windows, me), 0)
  if (windows) return [createStep('live', 'shown', { windows, at })]
  if (item.is_muted) return [createStep('live', 'muted')]
  if (at) return [createStep('live', 'no_window', { at })]
  return isPending(item) ? [] : [createStep('live', 'unknown')]
}

const isPending = ({ created_at }: TracedItem) => Date.now() - Date.parse(created_at) < PENDING_TIME

async function readPushSteps({ db, me }: MemberContext, items: readonly TracedItem[]) {
  const queries = items.map(({ kind, id }) =>
    db
      .selectFrom('delivery_steps')
      .select(['id', 'subject_kind', 'subject_id', 'outcome', 'reason', 'until_time', 'device', 'created_at'])
      .where('user_id', '=', me.id)
      .where('subject_kind', '=', kind)
      .where('subject_id', '=', id)
      .orderBy('id', 'desc')
      .limit(MAX_STEPS),
  )
  const rows = await readRowsOfQueries(db, queries)
  const grouped = groupByItem(rows.toSorted((a, b) => a.id - b.id))
  return new Map([...grouped].map(([key, some]) => [key, some.map((row) => toStep('push', row))]))
}

const toStep = (channel: 'push' | 'mail', row: StepRow) =>
  createStep(channel, row.outcome, {
    reason: row.reason,
    until: row.until_time,
    device: row.device,
    at: row.created_at,
  })

/** Without those that wait for the end of quiet hours. */
async function readWaiting(viewer: MemberContext, items: readonly TracedItem[]) {
  const found = await Promise.all(
    (['message', 'notification'] as const).map((kind) =>
      pushDevices.listWaiting(viewer, kind, idsOf(items, kind)),
    ),
  )
  const waiting = found.flat().filter(({ held_until }) => held_until === null)
  const devices = waiting.length ? await pushDevices.listDevices(viewer, '') : []
  const names = new Map(devices.map(({ id, device }) => [id, device]))
  const steps = waiting.map(({ kind, subject_id, device_id }) => ({
    key: toKey({ kind, id: subject_id }),
    step: createStep('push', 'waiting', { device: names.get(device_id) ?? null }),
  }))
  const grouped = Map.groupBy(steps, ({ key }) => key)
  return new Map([...grouped].map(([key, some]) => [key, some.map(({ step }) => step)]))
}

/** Without waiting steps of devices whose last recorded step already says that sending is tried again. */
function combinePushSteps(recorded: readonly DeliveryStep[], waiting: readonly DeliveryStep[]) {
  const findLast = (name: string | null) => recorded.findLast(({ device }) => device === name)
  return [...recorded, ...waiting.filter(({ device }) => findLast(device)?.outcome !== 'delayed')]
}

type Facts = Awaited<ReturnType<typeof readFacts>>

/** Devices and settings. */
async function readFacts(viewer: MemberContext) {
  const { db, me } = viewer
  const [devices, pushOff, mailOff, digest] = await Promise.all([
    pushDevices.listDevices(viewer, ''),
    notificationSettings.getOffKinds(db, me.id, 'push'),
    notificationSettings.getOffKinds(db, me.id, 'mail'),
    digestSettings.get(viewer),
  ])
  return { devices, pushOff, mailOff, digest }
}

/** The member had no device then, or the push message of the chat message stands for the notification too. */
function explainNoPush(item: TracedItem, { devices, pushOff }: Facts): DeliveryStep {
  const { notificationKind: kind, created_at } = item
  const isSentAsMessage =
    kind === 'first_message' || ((kind === 'quote' || kind === 'group_mention') && !pushOff.has('message'))
  if (isSentAsMessage) return createStep('push', 'as_message')
  if (kind && isOffAtFirst(kind, 'push') && pushOff.has(kind))
    return createStep('push', 'dropped', { reason: 'switched_off' })
  if (!devices.some((device) => device.created_at <= created_at)) return createStep('push', 'no_device')
  return createStep('push', isPending(item) ? 'waiting' : 'unknown')
}

async function readDigestSteps({ db, me }: MemberContext) {
  const rows = await db
    .selectFrom('delivery_steps')
    .select(['outcome', 'reason', 'until_time', 'device', 'created_at'])
    .where('user_id', '=', me.id)
    .where('subject_kind', '=', 'digest')
    .orderBy('id', 'desc')
    .limit(MAX_DIGEST_STEPS)
    .execute()
  return rows.toReversed()
}

/**
 * From the first digest after the message or notification, or else a step with the reason. None for kinds
 * with a mail of their own: what became of it is not known here.
 */
function toMailSteps(
  { notificationKind, created_at }: TracedItem,
  rows: readonly StepRow[],
  { mailOff, digest }: Facts,
): DeliveryStep[] {
  if (notificationKind && instantKinds.includes(notificationKind) && !mailOff.has(notificationKind)) return []
  if (mailOff.has(notificationKind ?? 'message'))
    return [createStep('mail', 'none', { reason: 'switched_off' })]
  const first = rows.findIndex((row) => row.outcome === 'queued' && row.created_at > created_at)
  if (first >= 0) {
    const next = rows.findIndex((row, index) => index > first && row.outcome === 'queued')
    const ofDigest = rows.slice(first, next < 0 ? undefined : next)
    return ofDigest.slice(-MAX_STEPS).map((row) => toStep('mail', row))
  }
  const reason = !digest.has_verified_email ? 'no_address' : digest.frequency === 'never' ? 'off' : 'not_away'
  return [createStep('mail', 'none', { reason })]
}
