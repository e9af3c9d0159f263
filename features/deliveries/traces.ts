import { type Expression, sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { DatabaseTables, Db } from '#core/database/database.ts'
import { readDigestFrequencyAndHasVerifiedEmail } from '#features/digest/settings.ts'
import type { NotificationKind } from '#features/notifications/contract.ts'
import { readSwitchedOffNotificationKinds } from '#features/notifications/settings.ts'
import { listOwnWaitingPushItemsOfSubjects, listPushDevices } from '#features/push/read.ts'
import type { ChannelDeliveryOutcome } from './contract.ts'
import { decodeDeliveredWindowCountOfMember } from './window-counts.ts'

/**
 * A message or notification for which the steps of the delivery are read. `created_at` is the time of the
 * message, or of the newest event of the notification.
 */
export interface TracedMessageOrNotification {
  kind: 'message' | 'notification'
  id: number
  created_at: string
  /** The kind of the notification; null for a message. */
  notificationKind: NotificationKind | null
  /** For a notification of the kind `announcement`, the id of the announced post; otherwise null. */
  announcedPost: number | null
  /** Whether the viewer has muted the author of the message; false for a notification. */
  is_muted: boolean
}

type StepRow = Pick<
  DatabaseTables['delivery_steps'],
  'outcome' | 'reason' | 'until_time' | 'device' | 'created_at'
>

/**
 * The maximum number of steps of push messages, or of a digest, that are shown for one message or
 * notification: the newest ones. Each message or notification has its own limit, so that many events in one
 * notification hide no steps of others.
 */
const MAX_STEPS = 20
/** The maximum number of rows about digests that are read for one member. */
const MAX_DIGEST_STEPS = 2000
/**
 * The maximum number of rows that are read about the live event of one message or notification. Each server
 * process may store a few rows.
 */
const MAX_LIVE_ROWS = 100
/**
 * The time in ms after which the delivery of a message or notification counts as unknown, if nothing is
 * stored about its live event or push message by then.
 */
const PENDING_TIME = 60_000

const createStep = (
  channel: ChannelDeliveryOutcome['channel'],
  outcome: ChannelDeliveryOutcome['outcome'],
  fields: Partial<ChannelDeliveryOutcome> = {},
): ChannelDeliveryOutcome => ({
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

/**
 * Reads what is stored about the delivery of messages and notifications to the viewer. Returns a function
 * that returns the delivery steps of one message or notification.
 */
export async function readDeliveryStepsLookupFunction(
  viewer: MemberContext,
  items: readonly TracedMessageOrNotification[],
) {
  const [live, pushed, waiting, digests, facts] = await Promise.all([
    readLiveRows(viewer, items),
    readPushSteps(viewer, items),
    readWaiting(viewer, items),
    readDigestSteps(viewer),
    readFacts(viewer),
  ])
  return (item: TracedMessageOrNotification): ChannelDeliveryOutcome[] => {
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

const idsOf = (items: readonly TracedMessageOrNotification[], kind: TracedMessageOrNotification['kind']) =>
  items.flatMap((item) => (item.kind === kind ? item.id : []))

/**
 * Combines queries that each have their own `limit` into one statement with `union all`, and returns the
 * rows of all.
 */
async function readRowsOfQueries<Row>(db: Db, queries: readonly Expression<Row>[]) {
  if (!queries.length) return []
  const parts = queries.map((query) => sql`select * from (${query}) as part`)
  return (await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(db)).rows
}

const groupByItem = <Row extends { subject_kind: string; subject_id: number }>(rows: readonly Row[]) =>
  Map.groupBy(rows, ({ subject_kind, subject_id }) => `${subject_kind} ${subject_id}`)

// The functions below find the steps of live events.

/**
 * Returns the kind and id under which the live event of a message or notification is stored. All
 * notifications about an announced post have one event, which is stored under the post.
 */
const toLiveSubject = ({ kind, id, announcedPost }: TracedMessageOrNotification) =>
  announcedPost === null ? { kind, id } : { kind: 'announcement' as const, id: announcedPost }

/**
 * Reads the rows of `live_deliveries` about each message or notification. A notification has a live event for
 * each thing that happened, such as each like. Reads only the event of the newest one that the viewer may
 * see, by its time, because the times of the other events would show when a hidden person acted.
 */
async function readLiveRows({ db }: MemberContext, items: readonly TracedMessageOrNotification[]) {
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

/**
 * Adds up the numbers of windows to which all server processes wrote the event, and returns the step. A
 * message may have several events, each for other members.
 */
function toLiveSteps(
  me: number,
  item: TracedMessageOrNotification,
  rows: readonly { broadcast_at: string; windows: string }[],
): ChannelDeliveryOutcome[] {
  const at = rows.reduce((newest, { broadcast_at }) => (broadcast_at > newest ? broadcast_at : newest), '')
  const windows = rows.reduce((sum, row) => sum + decodeDeliveredWindowCountOfMember(row.windows, me), 0)
  if (windows) return [createStep('live', 'shown', { windows, at })]
  if (item.is_muted) return [createStep('live', 'muted')]
  if (at) return [createStep('live', 'no_window', { at })]
  return isPending(item) ? [] : [createStep('live', 'unknown')]
}

const isPending = ({ created_at }: TracedMessageOrNotification) =>
  Date.now() - Date.parse(created_at) < PENDING_TIME

// The functions below find the steps of push messages.

async function readPushSteps({ db, me }: MemberContext, items: readonly TracedMessageOrNotification[]) {
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

/**
 * Reads which messages and notifications wait in the push queues of the viewer's devices. Leaves out those
 * that wait for the end of quiet hours.
 */
async function readWaiting(viewer: MemberContext, items: readonly TracedMessageOrNotification[]) {
  const found = await Promise.all(
    (['message', 'notification'] as const).map((kind) =>
      listOwnWaitingPushItemsOfSubjects(viewer, kind, idsOf(items, kind)),
    ),
  )
  const waiting = found.flat().filter(({ held_until }) => held_until === null)
  const devices = waiting.length ? await listPushDevices(viewer, '') : []
  const names = new Map(devices.map(({ id, device }) => [id, device]))
  const steps = waiting.map(({ kind, subject_id, device_id }) => ({
    key: toKey({ kind, id: subject_id }),
    step: createStep('push', 'waiting', { device: names.get(device_id) ?? null }),
  }))
  const grouped = Map.groupBy(steps, ({ key }) => key)
  return new Map([...grouped].map(([key, some]) => [key, some.map(({ step }) => step)]))
}

/**
 * Returns the recorded steps, followed by the steps that say that a push message waits to be sent to a
 * device. Leaves out such a step if the last recorded step of the device already says that sending is tried
 * again.
 */
function combinePushSteps(
  recorded: readonly ChannelDeliveryOutcome[],
  waiting: readonly ChannelDeliveryOutcome[],
) {
  const findLast = (name: string | null) => recorded.findLast(({ device }) => device === name)
  return [...recorded, ...waiting.filter(({ device }) => findLast(device)?.outcome !== 'delayed')]
}

type Facts = Awaited<ReturnType<typeof readFacts>>

/** Reads the devices and settings of the viewer that explain why nothing was sent in a channel. */
async function readFacts(viewer: MemberContext) {
  const { db, me } = viewer
  const [devices, pushOff, mailOff, digest] = await Promise.all([
    listPushDevices(viewer, ''),
    readSwitchedOffNotificationKinds(db, me.id, 'push'),
    readSwitchedOffNotificationKinds(db, me.id, 'mail'),
    readDigestFrequencyAndHasVerifiedEmail(viewer),
  ])
  return { devices, pushOff, mailOff, digest }
}

/**
 * Returns the step that explains why no push message for a message or notification is recorded: the member
 * had no device when it was created, or the push message of the chat message stands for the notification too.
 */
function explainNoPush(
  item: TracedMessageOrNotification,
  { devices, pushOff }: Facts,
): ChannelDeliveryOutcome {
  const { notificationKind: kind, created_at } = item
  const isSentAsMessage =
    kind === 'first_message' || ((kind === 'quote' || kind === 'group_mention') && !pushOff.has('message'))
  if (isSentAsMessage) return createStep('push', 'as_message')
  if (!devices.some((device) => device.created_at <= created_at)) return createStep('push', 'no_device')
  return createStep('push', isPending(item) ? 'waiting' : 'unknown')
}

// The functions below find the steps of digests.

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
 * Returns the steps of the first digest that was prepared after the message or notification was created. If
 * there is none, returns a step with the reason.
 */
function toMailSteps(
  { notificationKind, created_at }: TracedMessageOrNotification,
  rows: readonly StepRow[],
  { mailOff, digest }: Facts,
): ChannelDeliveryOutcome[] {
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
