import './events.ts'
import type { AppContext } from '#core/context.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { PushDropReason, PushItemSubject } from './events.ts'

// The functions in this file store what happened to the items in the push queue of a device, and emit an
// event about it in the same transaction.

/**
 * A device that receives push messages. `name` is the browser and the system of its session; null if unknown.
 */
export interface PushSubscriptionWithDeviceName {
  id: number
  user_id: number
  endpoint: string
  name: string | null
}
/** An item in the push queue of a device: a message or notification that is still to be sent. */
export interface QueuedPushItem extends PushItemSubject {
  id: number
  created_at: string
}
export type ContextWithDbAndEmit = Pick<AppContext, 'db' | 'emit'>

const toSubjects = (items: readonly PushItemSubject[]) =>
  items.map(({ kind, subject_id }) => ({ kind, subject_id }))

/**
 * Deletes items from a push queue. Keeps an item if a new event was added to its notification after the item
 * was read (see `addPushItemsToDeviceQueues`), because that event has not been sent.
 */
const deleteItems = (tx: Tx, items: readonly QueuedPushItem[]) =>
  tx
    .deleteFrom('push_items')
    .where(
      'id',
      'in',
      items.map(({ id }) => id),
    )
    .where(
      'created_at',
      '<=',
      items
        .map(({ created_at }) => created_at)
        .toSorted()
        .at(-1)!,
    )
    .execute()

interface Answer {
  result: 'accepted' | 'refused' | 'gone' | 'delayed'
  reason?: string
  until?: Date | null
}
const emitAnswer = (
  { emit }: ContextWithDbAndEmit,
  tx: Tx,
  { user_id, name: device, endpoint }: PushSubscriptionWithDeviceName,
  items: readonly PushItemSubject[],
  { result, reason, until }: Answer,
) =>
  emit(tx, 'push.answered', {
    user_id,
    device,
    host: new URL(endpoint).host,
    items: toSubjects(items),
    result,
    reason: reason ?? null,
    until: until?.toISOString() ?? null,
  })

/**
 * Stores that the push service accepted a message for a device now, removes `items` from the push queue, and
 * emits `push.answered`.
 */
export const recordAcceptedAndDeletePushItems = (
  context: ContextWithDbAndEmit,
  device: PushSubscriptionWithDeviceName,
  items: readonly QueuedPushItem[] = [],
) =>
  transaction(context.db, async (tx) => {
    await tx
      .updateTable('push_subscriptions')
      .set({ last_sent_at: currentIsoTime() })
      .where('id', '=', device.id)
      .execute()
    if (items.length) await deleteItems(tx, items)
    await emitAnswer(context, tx, device, items, { result: 'accepted' })
  })

/**
 * Removes items from the push queue that the push service refused, because it would refuse the same request
 * again. Emits `push.answered`.
 */
export const recordRefusedAndDeletePushItems = (
  context: ContextWithDbAndEmit,
  device: PushSubscriptionWithDeviceName,
  items: readonly QueuedPushItem[],
  status: number,
) =>
  transaction(context.db, async (tx) => {
    if (items.length) await deleteItems(tx, items)
    await emitAnswer(context, tx, device, items, { result: 'refused', reason: String(status) })
  })

/**
 * Emits `push.answered` for items that were not sent. Leaves them in the push queue, because a later attempt
 * may send them.
 */
export const emitPushItemsDelayed = (
  context: ContextWithDbAndEmit,
  device: PushSubscriptionWithDeviceName,
  items: readonly QueuedPushItem[],
  delay: { reason: string; until: Date | null },
) => transaction(context.db, (tx) => emitAnswer(context, tx, device, items, { result: 'delayed', ...delay }))

/**
 * Removes a push subscription that the push service no longer knows, with its queue, unless the browser has
 * replaced it meanwhile. Emits `push.answered`.
 */
export const deleteGonePushSubscription = (
  context: ContextWithDbAndEmit,
  device: PushSubscriptionWithDeviceName,
  status: number,
) =>
  transaction(context.db, async (tx) => {
    const items = await listItems(tx, device.id)
    await tx
      .deleteFrom('push_subscriptions')
      .where('id', '=', device.id)
      .where('endpoint', '=', device.endpoint)
      .execute()
    await emitAnswer(context, tx, device, items, { result: 'gone', reason: String(status) })
  })

const listItems = (tx: Tx, subscription: number) =>
  tx
    .selectFrom('push_items')
    .select(['id', 'kind', 'subject_id', 'created_at'])
    .where('subscription_id', '=', subscription)
    .orderBy('id')
    .execute()

/**
 * Removes items from the push queue of a device without sending them, and emits `push.dropped` with the
 * reason.
 */
export async function dropPushItems(
  { emit }: Pick<ContextWithDbAndEmit, 'emit'>,
  tx: Tx,
  { user_id, name: device }: Pick<PushSubscriptionWithDeviceName, 'user_id' | 'name'>,
  items: readonly QueuedPushItem[],
  reason: PushDropReason,
) {
  if (!items.length) return
  await deleteItems(tx, items)
  await emit(tx, 'push.dropped', { user_id, device, items: toSubjects(items), reason })
}

/**
 * Removes all items from the push queue of a device that is removed in this transaction, and emits
 * `push.dropped`.
 */
export const dropPushQueueOfRemovedDevice = async (
  context: Pick<ContextWithDbAndEmit, 'emit'>,
  tx: Tx,
  device: Pick<PushSubscriptionWithDeviceName, 'id' | 'user_id' | 'name'>,
) => dropPushItems(context, tx, device, await listItems(tx, device.id), 'device_removed')
