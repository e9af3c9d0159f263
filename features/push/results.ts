import './events.ts'
import type { AppContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { PushDropReason, PushItemSubject } from './events.ts'

// Each emits its event in the same transaction.

/** `name` is the browser and the system of its session; null if unknown. */
export interface Device {
  id: number
  user_id: number
  endpoint: string
  name: string | null
}
/** Still to be sent. */
export interface QueuedItem extends PushItemSubject {
  id: number
  created_at: string
}
export type EmitContext = Pick<AppContext, 'db' | 'emit'>

const toSubjects = (items: readonly PushItemSubject[]) =>
  items.map(({ kind, subject_id }) => ({ kind, subject_id }))

/** Keeps items whose notification got a new event since they were read (see `pushQueue.addItems`). */
const deleteItems = (tx: Tx, items: readonly QueuedItem[]) =>
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
  { emit }: EmitContext,
  tx: Tx,
  { user_id, name: device, endpoint }: Device,
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

/** Emits `push.answered`. */
export const accept = (context: EmitContext, device: Device, items: readonly QueuedItem[] = []) =>
  transaction(context.db, async (tx) => {
    await tx
      .updateTable('push_subscriptions')
      .set({ last_sent_at: isoNow() })
      .where('id', '=', device.id)
      .execute()
    if (items.length) await deleteItems(tx, items)
    await emitAnswer(context, tx, device, items, { result: 'accepted' })
  })

/** The push service would refuse the same request again. Emits `push.answered`. */
export const refuse = (context: EmitContext, device: Device, items: readonly QueuedItem[], status: number) =>
  transaction(context.db, async (tx) => {
    if (items.length) await deleteItems(tx, items)
    await emitAnswer(context, tx, device, items, { result: 'refused', reason: String(status) })
  })

/** They stay in the queue for a later attempt. Emits `push.answered`. */
export const delay = (
  context: EmitContext,
  device: Device,
  items: readonly QueuedItem[],
  delay: { reason: string; until: Date | null },
) => transaction(context.db, (tx) => emitAnswer(context, tx, device, items, { result: 'delayed', ...delay }))

/** Deletes its queue too; nothing if the browser has replaced it meanwhile. Emits `push.answered`. */
export const deleteGone = (context: EmitContext, device: Device, status: number) =>
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

/** Without sending them. Emits `push.dropped`. */
export async function drop(
  { emit }: Pick<EmitContext, 'emit'>,
  tx: Tx,
  { user_id, name: device }: Pick<Device, 'user_id' | 'name'>,
  items: readonly QueuedItem[],
  reason: PushDropReason,
) {
  if (!items.length) return
  await deleteItems(tx, items)
  await emit(tx, 'push.dropped', { user_id, device, items: toSubjects(items), reason })
}

/** In the transaction that removes the device. Emits `push.dropped`. */
export const dropQueue = async (
  context: Pick<EmitContext, 'emit'>,
  tx: Tx,
  device: Pick<Device, 'id' | 'user_id' | 'name'>,
) => drop(context, tx, device, await listItems(tx, device.id), 'device_removed')
