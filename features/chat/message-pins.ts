import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import { broadcastPinnedMessagesChanged } from './broadcasts.ts'
import { deleteMessagePin } from './delete-pin.ts'
import { lockAndRequirePinnableGroup } from './group-managers.ts'
import { MAX_PINNED_MESSAGES_PER_GROUP, type messagePinEndpoints } from './message-pin-contract.ts'
import {
  createNoSuchMessageError,
  requireGroupMembership,
  requireMessageInOwnChat,
  requireReadableMessage,
} from './read.ts'
import { listPinnedMessagesWithoutMembershipCheck } from './read-message-pins.ts'

/**
 * Pins a message of a group, which the current member must manage. Does nothing if the message is pinned
 * already. Throws 404 unless the member is in the group and may read the message, and 403 if the member does
 * not manage the group or if too many messages are pinned.
 */
const pinMessage = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const { conversation_id, other } = await requireReadableMessage(viewer, id)
    if (other !== null) throw createNoSuchMessageError()
    await lockAndRequirePinnableGroup(context, tx, conversation_id)
    // Reads the message again, because it may have been deleted before the group was locked.
    const { hidden_at } = await requireReadableMessage(viewer, id)
    if (hidden_at !== null) throw createNoSuchMessageError()
    const pinned = await listPinnedIds(tx, conversation_id)
    if (pinned.includes(id)) return { pinned: true }
    if (pinned.length >= MAX_PINNED_MESSAGES_PER_GROUP) throw createTooManyPinsError()
    const pin = { message_id: id, conversation_id, pinned_by: context.me.id, created_at: currentIsoTime() }
    await tx.insertInto('pinned_messages').values(pin).execute()
    await context.emit(tx, 'message.pinned', toPinEventPayload(context, id, conversation_id))
    tx.afterCommit(() => broadcastPinnedMessagesChanged(context, conversation_id))
    return { pinned: true }
  })

/**
 * Unpins a message of a group, which the current member must manage. Does nothing if the message is not
 * pinned.
 */
const unpinMessage = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { conversation_id, other } = await requireMessageInOwnChat({ ...context, db: tx }, id)
    if (other !== null) throw createNoSuchMessageError()
    await lockAndRequirePinnableGroup(context, tx, conversation_id)
    if (!(await deleteMessagePin(tx, id))) return { pinned: false }
    await context.emit(tx, 'message.unpinned', toPinEventPayload(context, id, conversation_id))
    tx.afterCommit(() => broadcastPinnedMessagesChanged(context, conversation_id))
    return { pinned: false }
  })

/** Returns the payload of the domain event that the current member has pinned or unpinned a message. */
const toPinEventPayload = ({ me }: MemberContext, id: number, conversation_id: number) => ({
  id,
  conversation_id,
  actor_id: me.id,
  by_owner: !me.is_admin,
})

async function listPinnedIds(tx: Tx, group: number) {
  const rows = await tx
    .selectFrom('pinned_messages')
    .select('message_id')
    .where('conversation_id', '=', group)
    .execute()
  return rows.map(({ message_id }) => message_id)
}

const createTooManyPinsError = () =>
  new HttpError(403, {
    en: `A group has at most ${MAX_PINNED_MESSAGES_PER_GROUP} pinned messages. Unpin one of them first.`,
    ja: `ピン留めできるメッセージは${MAX_PINNED_MESSAGES_PER_GROUP}件までです。先にどれかのピン留めを外してください。`,
  })

export const messagePinEndpointHandlers: EndpointHandlers<typeof messagePinEndpoints> = {
  list: async (context) => {
    await requireGroupMembership(context, context.input.id)
    return listPinnedMessagesWithoutMembershipCheck(context, context.input.id)
  },
  pin: (context) => pinMessage(context, context.input.id),
  unpin: (context) => unpinMessage(context, context.input.id),
}
