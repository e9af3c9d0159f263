import { type SqlBool, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { currentIsoTime, type Db, hasMatchingRow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import { repeatWithPauses } from '#core/hourly-cleanup.ts'
import {
  buildUnfinishedJobsQuery,
  enqueueJob,
  enqueueJobIfSqlConditionWithoutWaiting,
  enqueueJobs,
} from '#core/jobs/jobs.ts'
import { buildConversationMemberIdsQuery, listConversationMemberIds } from '#features/chat/read.ts'
import type { NotificationIdWithMemberId } from '#features/notifications/events.ts'
import { type ContextWithDbAndEmit, dropPushItems, type PushSubscriptionWithDeviceName } from './results.ts'
import type { PushItemKind } from './tables.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /**
     * The job that adds a chat message to the push queues of the devices of the members of its conversation,
     * except the author's.
     */
    push_message: { message: number; conversation: number; author: number }
    /** The job that adds a notification to the push queues of the devices of its member. */
    push_notification: { notification: number; user: number }
    /** The job that adds notifications to the push queues of the devices of their members. */
    push_notifications: { notifications: readonly NotificationIdWithMemberId[] }
    /** The job that sends everything in the push queue of a device. */
    push_delivery: { subscription: number }
    /**
     * The job that sends the push queue of a device at the end of quiet hours: first one push message for all
     * items that have waited, then one for each other item.
     */
    push_summary: { subscription: number }
  }
}

/**
 * The time in ms between a chat message and its push messages. If a member's page shows the conversation, it
 * marks the message as read in this time, and then no device of that member gets a push message.
 */
const MESSAGE_DELAY = 2000
/** The maximum age in ms of an item in a push queue. Older items are not sent any more. */
export const MAX_PUSH_ITEM_AGE = 24 * 3600_000
/**
 * The maximum number of items in the push queue of a device. If there are more, only the newest are sent, and
 * the others are deleted.
 */
const MAX_ITEMS = 50
/** The maximum number of rows that one statement inserts or deletes. */
const BATCH = 500

/**
 * Adds the job `push_message` for a new chat message, in the transaction that stores the message, if another
 * member of the conversation has a device.
 */
export function enqueueAddMessageToPushQueuesJob(
  tx: Tx,
  { id, conversation_id, user_id: author }: { id: number; conversation_id: number; user_id: number },
) {
  // If nobody except the author has a device at all, the first condition is false, and the database need not
  // check the second one.
  const hasDevice = sql<SqlBool>`exists (select 1 from push_subscriptions where user_id <> ${author})
    and exists (select 1 from (${buildConversationMemberIdsQuery(conversation_id)}) m
      join push_subscriptions s on s.user_id = m.user_id where m.user_id <> ${author})`
  const job = { message: id, conversation: conversation_id, author }
  enqueueJobIfSqlConditionWithoutWaiting(tx, hasDevice, 'push_message', job, {
    runAt: new Date(Date.now() + MESSAGE_DELAY),
  })
}

/**
 * Adds the job `push_notification` for an event in a notification, in the transaction that stores the event,
 * if the event is new and the member has a device.
 */
export function enqueueAddNotificationToPushQueuesJob(
  tx: Tx,
  { id: notification, isNew, user_id: user }: DomainEvents['notification.changed'],
) {
  // If the member has no device, the first condition is false, and the database need not check the second
  // one.
  const hasDevice = sql<SqlBool>`exists (select 1 from push_subscriptions where user_id = ${user}) and ${isNew}`
  enqueueJobIfSqlConditionWithoutWaiting(tx, hasDevice, 'push_notification', { notification, user })
}

/**
 * Adds the job `push_notifications` for notifications about the same event, in the transaction that stores
 * them, if one of their members has a device.
 */
export function enqueueAddNotificationsToPushQueuesJob(
  tx: Tx,
  notifications: readonly NotificationIdWithMemberId[],
) {
  const users = notifications.map(({ user_id }) => user_id)
  enqueueJobIfSqlConditionWithoutWaiting(
    tx,
    sql<SqlBool>`exists (select 1 from push_subscriptions where user_id in (${sql.join(users)}))`,
    'push_notifications',
    { notifications: notifications.map(({ id, user_id }) => ({ id, user_id })) },
  )
}

/** Adds a notification to the push queues of all devices of its member. */
export const addNotificationToPushDeviceQueues = (
  { db }: AppContext,
  { notification, user }: { notification: number; user: number },
) => transaction(db, (tx) => addPushItemsToDeviceQueues(tx, 'notification', new Map([[user, notification]])))

/** Adds notifications to the push queues of all devices of their members. */
export const addNotificationsToPushDeviceQueues = (
  { db }: AppContext,
  { notifications }: { notifications: readonly NotificationIdWithMemberId[] },
) => {
  const idsByUser = new Map(notifications.map(({ id, user_id }) => [user_id, id]))
  return transaction(db, (tx) => addPushItemsToDeviceQueues(tx, 'notification', idsByUser))
}

/**
 * Adds a message to the push queues of all devices of the members of its conversation, except the author's.
 */
export const addMessageToPushDeviceQueues = (
  { db }: AppContext,
  { message, conversation, author }: { message: number; conversation: number; author: number },
) =>
  transaction(db, async (tx) => {
    const members = await listConversationMemberIds(tx, conversation)
    const recipients = members.filter((member) => member !== author)
    await addPushItemsToDeviceQueues(tx, 'message', new Map(recipients.map((member) => [member, message])))
  })

/**
 * Adds a message or notification for each member to the push queues of all devices of this member, and adds
 * the jobs that send the queues. `subjects` maps the id of each member to the id of the message or
 * notification.
 */
async function addPushItemsToDeviceQueues(tx: Tx, kind: PushItemKind, subjects: ReadonlyMap<number, number>) {
  if (!subjects.size) return
  const devices = await tx
    .selectFrom('push_subscriptions')
    .select(['id', 'user_id'])
    .where('user_id', 'in', [...subjects.keys()])
    .orderBy('id')
    .execute()
  if (!devices.length) return
  const created_at = currentIsoTime()
  const items = devices.map(({ id: subscription_id, user_id }) => ({
    ...{ subscription_id, kind, subject_id: subjects.get(user_id)!, created_at },
  }))
  for (let at = 0; at < items.length; at += BATCH)
    await tx
      .insertInto('push_items')
      .values(items.slice(at, at + BATCH))
      // If the notification is already in the queue, only updates `created_at` of the item, so that a
      // delivery that read the item before this update does not delete it.
      .onConflict((conflict) =>
        conflict.columns(['subscription_id', 'kind', 'subject_id']).doUpdateSet({ created_at }),
      )
      .execute()
  await enqueueDeliveries(
    tx,
    devices.map(({ id }) => id),
  )
}

/**
 * Adds the job `push_delivery` for each device that has no waiting job of this kind. A running job does not
 * count as waiting, because it may have read the queue already. On PostgreSQL, the lock keeps a waiting job
 * from starting before this transaction ends.
 */
async function enqueueDeliveries(tx: Tx, devices: readonly number[]) {
  const rows = await buildUnfinishedJobsQuery(tx)
    .select(['payload', 'leased_by'])
    .where('kind', '=', 'push_delivery')
    .where('leased_by', 'is', null)
    .where(
      'payload',
      'in',
      devices.map((subscription) => JSON.stringify({ subscription })),
    )
    .orderBy('id')
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .execute()
  const waiting = new Set(rows.map(({ payload }) => payload))
  const payloads = devices.map((subscription) => ({ subscription }))
  await enqueueJobs(
    tx,
    'push_delivery',
    payloads.filter((payload) => !waiting.has(JSON.stringify(payload))),
  )
}

const toOldestTime = () => new Date(Date.now() - MAX_PUSH_ITEM_AGE).toISOString()

/**
 * Reads the items in the push queue of a device, oldest first: at most the newest `MAX_ITEMS` items that are
 * not too old.
 */
export async function readPushQueueOfDevice(db: Db, subscription: number) {
  const items = await db
    .selectFrom('push_items')
    .select(['id', 'kind', 'subject_id', 'created_at', 'held_until'])
    .where('subscription_id', '=', subscription)
    .where('created_at', '>', toOldestTime())
    .orderBy('id', 'desc')
    .limit(MAX_ITEMS)
    .execute()
  return items.toReversed()
}

/**
 * Makes all items in the push queue of a device wait until `end`, the end of the quiet hours, and adds the
 * job that sends them then, unless such a job waits already.
 */
export const holdPushQueueUntil = (
  { db, emit }: ContextWithDbAndEmit,
  { id: subscription, user_id, name: device }: PushSubscriptionWithDeviceName,
  end: Date,
) =>
  transaction(db, async (tx) => {
    const held_until = end.toISOString()
    const items = await tx
      .updateTable('push_items')
      .set({ held_until })
      .where('subscription_id', '=', subscription)
      .where((row) => row.or([row('held_until', 'is', null), row('held_until', '!=', held_until)]))
      .returning(['kind', 'subject_id'])
      .execute()
    if (items.length) await emit(tx, 'push.held', { user_id, device, items, until: held_until })
    const waiting = await buildUnfinishedJobsQuery(tx)
      .select('id')
      .where('kind', '=', 'push_summary')
      .where('payload', '=', JSON.stringify({ subscription }))
      .where('leased_by', 'is', null)
      .where('run_at', '<=', held_until)
      .executeTakeFirst()
    if (!waiting) await enqueueJob(tx, 'push_summary', { subscription }, { runAt: end })
  })

/**
 * Adds jobs that send the items that wait for the end of quiet hours in the push queues of a member's
 * devices. Runs when the member has changed the notification settings, because the quiet hours may be over.
 * If they are not over, these jobs make the items wait again.
 */
export async function enqueueDeliveryOfHeldPushItems(tx: Tx, user: number) {
  const devices = await tx
    .selectFrom('push_items')
    .innerJoin('push_subscriptions', 'push_subscriptions.id', 'push_items.subscription_id')
    .select('push_subscriptions.id')
    .distinct()
    .where('push_subscriptions.user_id', '=', user)
    .where('push_items.held_until', 'is not', null)
    .execute()
  for (const { id: subscription } of devices) await enqueueJob(tx, 'push_summary', { subscription })
}

/**
 * Removes the items with ids below `id` from the push queue of a device. `readPushQueueOfDevice` leaves them
 * out, because newer items fill the queue or they are too old.
 */
export async function dropPushItemsBeforeId(
  context: ContextWithDbAndEmit,
  device: PushSubscriptionWithDeviceName,
  id: number,
) {
  const query = (db: Db) =>
    db
      .selectFrom('push_items')
      .select(['id', 'kind', 'subject_id', 'created_at'])
      .where('subscription_id', '=', device.id)
      .where('id', '<', id)
      .limit(BATCH)
  while (await hasMatchingRow(query(context.db)))
    await transaction(context.db, async (tx) => {
      const oldest = toOldestTime()
      const items = await query(tx).execute()
      const old = items.filter(({ created_at }) => created_at <= oldest)
      await dropPushItems(context, tx, device, old, 'too_old')
      const others = items.filter(({ created_at }) => created_at > oldest)
      await dropPushItems(context, tx, device, others, 'too_many')
    })
}

/**
 * Deletes items from all push queues that are older than `MAX_PUSH_ITEM_AGE`, in transactions of bounded
 * size.
 */
export const deleteOldPushItems = (context: ContextWithDbAndEmit, signal?: AbortSignal) =>
  repeatWithPauses(
    () =>
      transaction(context.db, async (tx) => {
        const old = await tx
          .selectFrom('push_items as i')
          .innerJoin('push_subscriptions as s', 's.id', 'i.subscription_id')
          .select(['i.id', 'i.kind', 'i.subject_id', 'i.created_at', 's.user_id'])
          .where('i.created_at', '<=', toOldestTime())
          .orderBy('i.created_at')
          .limit(BATCH)
          .execute()
        const byUser = Map.groupBy(old, ({ user_id }) => user_id)
        for (const [user_id, items] of byUser)
          await dropPushItems(context, tx, { user_id, name: null }, items, 'too_old')
        return old.length === BATCH
      }),
    signal,
  )
