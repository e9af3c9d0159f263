import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { type Db, hasMatchingRow, isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { enqueueJob, enqueueJobs, unfinishedJobs } from '#core/jobs/jobs.ts'
import { repeatWithPauses } from '#core/process/hourly-cleanup.ts'
import * as chats from '#features/conversations/read.ts'
import type { NotificationRef } from '#features/notifications/events.ts'
import type { Device, EmitContext } from './results.ts'
import * as results from './results.ts'
import type { PushItemKind } from './tables.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** Except the author's devices. */
    push_message: { message: number; conversation: number; author: number }
    push_notification: { notification: number; user: number }
    push_notifications: { notifications: readonly NotificationRef[] }
    push_delivery: { subscription: number }
    /** At the end of quiet hours: one push message for all that has waited, then one for each other item. */
    push_summary: { subscription: number }
  }
}

/** In ms. If a page shows the conversation, it marks the message as read first, and no device is told. */
const MESSAGE_DELAY = 2000
/** In ms. */
export const MAX_AGE = 24 * 3600_000
/** For each device. Only the newest are sent, and the others are deleted. */
const MAX_ITEMS = 50
/** Rows that one statement inserts or deletes. */
const BATCH = 500

/** In the transaction that stores it. Nothing if no other member of the conversation has a device. */
export async function enqueueMessage(
  tx: Tx,
  { id, conversation_id, user_id: author }: { id: number; conversation_id: number; user_id: number },
) {
  // If nobody else has a device at all, the database need not check the second condition.
  const { rows: devices } = await sql`
    select 1 where exists (select 1 from push_subscriptions where user_id <> ${author})
      and exists (select 1 from (${chats.memberIdsQuery(conversation_id)}) m
        join push_subscriptions s on s.user_id = m.user_id where m.user_id <> ${author})`.execute(tx)
  if (!devices.length) return
  const job = { message: id, conversation: conversation_id, author }
  await enqueueJob(tx, 'push_message', job, { runAt: new Date(Date.now() + MESSAGE_DELAY) })
}

const haveDevice = async (tx: Tx, members: readonly number[]) => {
  const { rows } = await sql`
    select 1 from push_subscriptions where user_id in (${sql.join(members)}) limit 1`.execute(tx)
  return rows.length > 0
}

/** In the transaction that stores the event. Nothing if the member has no device. */
export async function enqueueOne(tx: Tx, { id: notification, user_id: user }: NotificationRef) {
  if (await haveDevice(tx, [user])) await enqueueJob(tx, 'push_notification', { notification, user })
}

/** In the transaction that stores them. Nothing if none of the members has a device. */
export async function enqueueMany(tx: Tx, notifications: readonly NotificationRef[]) {
  const users = notifications.map(({ user_id }) => user_id)
  if (!(await haveDevice(tx, users))) return
  await enqueueJob(tx, 'push_notifications', {
    notifications: notifications.map(({ id, user_id }) => ({ id, user_id })),
  })
}

export const addOne = ({ db }: AppContext, { notification, user }: { notification: number; user: number }) =>
  transaction(db, (tx) => addItems(tx, 'notification', new Map([[user, notification]])))

export const addMany = (
  { db }: AppContext,
  { notifications }: { notifications: readonly NotificationRef[] },
) => {
  const idsByUser = new Map(notifications.map(({ id, user_id }) => [user_id, id]))
  return transaction(db, (tx) => addItems(tx, 'notification', idsByUser))
}

export const addMessage = (
  { db }: AppContext,
  { message, conversation, author }: { message: number; conversation: number; author: number },
) =>
  transaction(db, async (tx) => {
    const members = await chats.listMemberIds(tx, conversation)
    const recipients = members.filter((member) => member !== author)
    await addItems(tx, 'message', new Map(recipients.map((member) => [member, message])))
  })

/** With the jobs that send the queues. `subjects` has the message or notification of each member. */
async function addItems(tx: Tx, kind: PushItemKind, subjects: ReadonlyMap<number, number>) {
  if (!subjects.size) return
  const devices = await tx
    .selectFrom('push_subscriptions')
    .select(['id', 'user_id'])
    .where('user_id', 'in', [...subjects.keys()])
    .orderBy('id')
    .execute()
  if (!devices.length) return
  const created_at = isoNow()
  const items = devices.map(({ id: subscription_id, user_id }) => ({
    ...{ subscription_id, kind, subject_id: subjects.get(user_id)!, created_at },
  }))
  for (let at = 0; at < items.length; at += BATCH)
    await tx
      .insertInto('push_items')
      .values(items.slice(at, at + BATCH))
      // Already queued: with a new `created_at`, a delivery that read the item before does not delete it.
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
 * Only devices without a waiting job. A running one may have read the queue already. On PostgreSQL, the lock
 * keeps a waiting job from starting before this transaction ends.
 */
async function enqueueDeliveries(tx: Tx, devices: readonly number[]) {
  const rows = await unfinishedJobs(tx)
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

const toOldestTime = () => new Date(Date.now() - MAX_AGE).toISOString()

/** Oldest first: the newest `MAX_ITEMS` that are not too old. */
export async function get(db: Db, subscription: number) {
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

/** Adds the job that sends them at `end`, unless one waits already. */
export const hold = (
  { db, emit }: EmitContext,
  { id: subscription, user_id, name: device }: Device,
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
    const waiting = await unfinishedJobs(tx)
      .select('id')
      .where('kind', '=', 'push_summary')
      .where('payload', '=', JSON.stringify({ subscription }))
      .where('leased_by', 'is', null)
      .where('run_at', '<=', held_until)
      .executeTakeFirst()
    if (!waiting) await enqueueJob(tx, 'push_summary', { subscription }, { runAt: end })
  })

/** After a change of settings, because the quiet hours may be over. If they are not, the items wait again. */
export async function enqueueHeld(tx: Tx, user: number) {
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

/** `pushQueue.get` leaves them out: newer items fill the queue, or they are too old. */
export async function dropBefore(context: EmitContext, device: Device, id: number) {
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
      await results.drop(context, tx, device, old, 'too_old')
      const others = items.filter(({ created_at }) => created_at > oldest)
      await results.drop(context, tx, device, others, 'too_many')
    })
}

/** In transactions of bounded size. */
export const deleteOld = (context: EmitContext, signal?: AbortSignal) =>
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
          await results.drop(context, tx, { user_id, name: null }, items, 'too_old')
        return old.length === BATCH
      }),
    signal,
  )
