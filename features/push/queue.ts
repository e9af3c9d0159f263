import type { AppContext } from '#core/context.ts'
import { currentIsoTime, type Db, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { buildUnfinishedJobsQuery, enqueueJob } from '#core/jobs/jobs.ts'
import { listConversationMemberIds } from '#features/chat/read.ts'
import type { PushItemKind } from './tables.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobKinds {
    /** Adds a message to the queues of the devices of its conversation. */
    push_message: { message: number; conversation: number; author: number }
    /** Sends everything in the queue of a device. */
    push_delivery: { subscription: number }
  }
}

/**
 * The time in ms between a message and its push. A page that shows the conversation marks the message as read
 * meanwhile, and then no device of the member gets a push.
 */
const MESSAGE_DELAY = 2000
/** The time in ms after which an item is not sent any more. */
export const MAX_ITEM_AGE = 24 * 3600_000
/** The largest number of items in the queue of a device. Older ones are dropped. */
const MAX_ITEMS = 50
/** The number of rows that one transaction deletes. */
const BATCH = 500

/**
 * Adds a job for a new message if a member of the conversation has a device, in the message's transaction.
 */
export async function enqueueMessage(
  tx: Tx,
  { id, conversation_id, user_id: author }: { id: number; conversation_id: number; user_id: number },
) {
  // Asks first whether there are devices at all, because most messages need nothing more.
  if (!(await buildSubscriptionsQuery(tx).where('user_id', '!=', author).executeTakeFirst())) return
  const members = await listConversationMemberIds(tx, conversation_id)
  const others = members.filter((member) => member !== author)
  if (!others.length) return
  const device = await buildSubscriptionsQuery(tx).where('user_id', 'in', others).executeTakeFirst()
  if (!device) return
  const job = { message: id, conversation: conversation_id, author }
  await enqueueJob(tx, 'push_message', job, { runAt: new Date(Date.now() + MESSAGE_DELAY) })
}

const buildSubscriptionsQuery = (db: Db) => db.selectFrom('push_subscriptions').select('id').limit(1)

/** Adds a message to the queues of all devices of the members of its conversation, except the author's. */
export const addMessageToQueues = (
  { db }: AppContext,
  { message, conversation, author }: { message: number; conversation: number; author: number },
) =>
  transaction(db, async (tx) => {
    const members = await listConversationMemberIds(tx, conversation)
    await addToQueues(
      tx,
      members.filter((member) => member !== author),
      'message',
      message,
    )
  })

/** Adds an item to the queues of all devices of these members, and jobs that send it. */
export async function addToQueues(tx: Tx, users: readonly number[], kind: PushItemKind, subject_id: number) {
  if (!users.length) return
  const devices = await tx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('user_id', 'in', users)
    .orderBy('id')
    .execute()
  if (!devices.length) return
  const created_at = currentIsoTime()
  const items = devices.map(({ id: subscription_id }) => ({ subscription_id, kind, subject_id, created_at }))
  for (let at = 0; at < items.length; at += BATCH)
    await tx
      .insertInto('push_items')
      .values(items.slice(at, at + BATCH))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await enqueueDeliveries(
    tx,
    devices.map(({ id }) => id),
  )
}

/**
 * Adds a job for each device that has none waiting. A job that runs may have read the queue already, so it
 * does not count. On PostgreSQL, the lock keeps a waiting job from starting before this transaction ends.
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
  for (const subscription of devices)
    if (!waiting.has(JSON.stringify({ subscription })))
      await enqueueJob(tx, 'push_delivery', { subscription })
}

const toOldestTime = () => new Date(Date.now() - MAX_ITEM_AGE).toISOString()

/** Reads the queue of a device, oldest first: at most the newest `MAX_ITEMS` items that are not too old. */
export async function readQueue(db: Db, subscription: number) {
  const items = await db
    .selectFrom('push_items')
    .select(['id', 'kind', 'subject_id', 'created_at'])
    .where('subscription_id', '=', subscription)
    .where('created_at', '>', toOldestTime())
    .orderBy('id', 'desc')
    .limit(MAX_ITEMS)
    .execute()
  return items.toReversed()
}

/** Removes items of a device: one, or those before it. */
export const deleteItem = (db: Db, id: number) =>
  transaction(db, (tx) => tx.deleteFrom('push_items').where('id', '=', id).execute())

/** Removes the items of a device that `readQueue` leaves out, because newer ones fill the queue. */
export const deleteItemsBefore = (db: Db, subscription: number, id: number) =>
  transaction(db, (tx) =>
    tx.deleteFrom('push_items').where('subscription_id', '=', subscription).where('id', '<', id).execute(),
  )

/** Deletes items that are too old, in transactions of bounded size. */
export async function deleteOldItems(db: Db) {
  let deleted: number
  do
    deleted = await transaction(db, async (tx) => {
      const old = tx
        .selectFrom('push_items')
        .select('id')
        .where('created_at', '<=', toOldestTime())
        .orderBy('created_at')
        .limit(BATCH)
      const { numDeletedRows } = await tx
        .deleteFrom('push_items')
        .where('id', 'in', old)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    })
  while (deleted === BATCH)
}
