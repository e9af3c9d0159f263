import { runTransactionOrRequestContact } from '#core/contacts.ts'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { markMediaUnreferenced } from '#core/media/lifecycle.ts'
import { lockConversation } from './conversation-locks.ts'
import { deleteMessagePin } from './delete-pin.ts'
import { deleteForwardedMark, requireMessageIsNotForwarded } from './forwarded-marks.ts'
import { requireNotOnlyTwoKeptApart } from './group-of-two.ts'
import { createPrivateMessageMapper } from './message-mappers.ts'
import {
  createNoSuchMessageError,
  findOtherUserIdInPrivateChatPair,
  listConversationMemberIds,
  readGroupMessageWithoutMembershipCheck,
  requireGroupMembership,
  requireReadablePrivateChat,
} from './read.ts'
import { readPartsOfOneMessageFromOtherTables } from './read-message-parts.ts'
import { readQuotedMessageWithExcludedViewers } from './read-quotes.ts'

// The functions of this file change messages for their authors: they edit and delete them.

/**
 * Changes the text of a message that the current member wrote. If the two people of a private chat may not
 * have contact, or only two people who are kept apart are in the group, stores a request for the contact instead and throws 403 (see
 * `runTransactionOrRequestContact`).
 */
export const editOwnMessage = (context: MemberContext, id: number, body: string) =>
  runTransactionOrRequestContact(context, 'first_message', (tx) =>
    editInTransaction({ ...context, db: tx }, id, body),
  )

const editInTransaction = (context: MemberContext, id: number, body: string) =>
  runChangeOfOwnMessageInTransaction(context, id, async (tx, message) => {
    // Refuses a message that a moderator has hidden, because the edit would send its text to the other
    // people of the chat.
    if (message.deleted_at || message.hidden_at) throw createNoSuchMessageError()
    await requireMessageIsNotForwarded(tx, id)
    if (message.body === body) return []
    const { me, contacts } = context
    await (message.pair === null
      ? requireNotOnlyTwoKeptApart(context, tx, message.conversation_id)
      : contacts.requireContact(tx, me.id, findOtherUserIdInPrivateChatPair(message.pair, me.id)))
    await tx.updateTable('messages').set({ body, edited_at: currentIsoTime() }).where('id', '=', id).execute()
    await context.emit(tx, 'message.edited', toMessageEditedOrDeletedEventPayload(message))
    return []
  })

/**
 * Empties a message that the current member wrote, and marks it as deleted; its row stays. Also returns the
 * names of the message's pictures and files, so that the caller can delete them.
 */
export const softDeleteOwnMessage = (context: MemberContext, id: number) =>
  runChangeOfOwnMessageInTransaction(context, id, async (tx, message) => {
    if (message.deleted_at) return []
    const names = await softDeleteMessage(tx, id)
    await context.emit(tx, 'message.deleted', toMessageEditedOrDeletedEventPayload(message))
    return names
  })

/**
 * Empties any message, marks it as deleted and its pictures and files as unreferenced, and ends its pin.
 * Returns the names of the pictures and files.
 */
export async function softDeleteMessage(tx: Tx, id: number) {
  await tx
    .updateTable('messages')
    .set({ body: '', edited_at: null, deleted_at: currentIsoTime() })
    .where('id', '=', id)
    .execute()
  const images = await tx
    .deleteFrom('message_attachments')
    .where('message_id', '=', id)
    .returning('media')
    .execute()
  const names = images.map(({ media }) => media)
  await markMediaUnreferenced(tx, names)
  await deleteMessagePin(tx, id)
  await deleteForwardedMark(tx, id)
  return names
}

type OwnMessage = Awaited<ReturnType<typeof readOwnMessage>>

/** Returns the payload of the domain events `message.edited` and `message.deleted`. */
export const toMessageEditedOrDeletedEventPayload = ({
  id,
  conversation_id,
  user_id,
  pair,
}: Pick<OwnMessage, 'id' | 'conversation_id' | 'user_id' | 'pair'>) => ({
  id,
  conversation_id,
  user_id,
  is_group: pair === null,
})

/**
 * Runs `change` in a transaction on a message that the current member wrote. The member must still have
 * access to its conversation. `change` returns the names of the pictures and files to delete. Returns these
 * names with the changed message: as `private`, or as `group` with the ids of the group's members.
 */
export const runChangeOfOwnMessageInTransaction = (
  context: MemberContext,
  id: number,
  change: (tx: Tx, message: OwnMessage) => Promise<string[]>,
) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const me = context.me.id
    const { conversation_id, pair } = await readOwnMessage(tx, me, id)
    await lockConversation(tx, conversation_id)
    // Reads the message again, because it may have changed before the conversation was locked.
    const message = await readOwnMessage(tx, me, id)
    const other = pair === null ? null : findOtherUserIdInPrivateChatPair(pair, me)
    await (other === null
      ? requireGroupMembership(viewer, conversation_id)
      : requireReadablePrivateChat(viewer, other))
    const pictures = await change(tx, message)
    const row = await readOwnMessage(tx, me, id)
    const quote = row.deleted_at ? null : await readQuotedMessageWithExcludedViewers(viewer, row.quotes_id)
    if (other === null)
      return {
        ...{ pictures, quote },
        group: await readGroupMessageWithoutMembershipCheck(viewer, id),
        members: await listConversationMemberIds(tx, conversation_id),
      }
    const parts = await readPartsOfOneMessageFromOtherTables(viewer, row)
    return { pictures, quote, private: createPrivateMessageMapper(me, other)(row, parts) }
  })

/** Reads a message that the member `me` wrote. Throws 404 if there is no such message. */
async function readOwnMessage(tx: Tx, me: number, id: number) {
  const message = await tx
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .selectAll('m')
    .select('c.pair')
    .where('m.id', '=', id)
    .where('m.user_id', '=', me)
    .executeTakeFirst()
  if (!message) throw createNoSuchMessageError()
  return message
}
