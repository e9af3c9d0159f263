import type { AppContext, MemberContext } from '#core/context.ts'
import { currentIsoTime, isPostgres, type Tx } from '#core/database/database.ts'
import { buildUnfilteredPersonRowsQuery } from '#features/people/read.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import {
  buildMessageAttachmentCountExpression,
  noMessageAttachments,
  readNonPictureFileNamesByMessageId,
} from './attachments.ts'
import { broadcastMessageChange } from './broadcasts.ts'
import { lockConversation } from './conversation-locks.ts'
import { deleteMessagePin } from './delete-pin.ts'
import { softDeleteMessage, toMessageEditedOrDeletedEventPayload } from './message-changes.ts'
import {
  createGroupMessageMapper,
  createPrivateMessageMapper,
  isMessageHiddenByModeratorFrom,
} from './message-mappers.ts'
import {
  buildMessagesWithAuthorsQuery,
  createNoSuchMessageError,
  findOtherUserIdInPrivateChatPair,
  listConversationMemberIds,
  messageIdOrderExpression,
  requireGroupMembership,
  requireReadablePrivateChat,
} from './read.ts'

// The functions of this file read the messages that a report copies, and hide, show again and delete messages
// for moderators. The feature `moderation` checks the moderator's right and records the reason.

/**
 * The number of messages before a reported message that the report copies. It copies the same number of
 * messages after it.
 */
const SURROUNDING_MESSAGES = 5

/** A reported message with the messages around it, oldest first, as the person who reports it sees them. */
export interface ReportedChatExcerpt {
  author: number
  /** The ids of the two people, if the reported message is in a private chat; null for a group. */
  pair: readonly number[] | null
  messages: {
    id: number
    user_id: number
    text: string
    images_count: number
    /** The names of the files of the message, besides pictures; absent if there are none. */
    file_names?: string[]
    created_at: string
  }[]
}

/**
 * Reads a message and the messages around it, for a report. Throws 404 if there is no such message in a chat
 * that the viewer may read, or if the message is deleted or hidden.
 */
export async function readChatExcerptAroundMessage(
  viewer: MemberViewerContext,
  id: number,
): Promise<ReportedChatExcerpt> {
  const me = viewer.me.id
  const found = await buildMessagesWithAuthorsQuery(viewer)
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'm.conversation_id')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select('c.pair')
    .where('m.id', '=', id)
    .where('mine.user_id', '=', me)
    .executeTakeFirst()
  if (!found || found.deleted_at || isMessageHiddenByModeratorFrom(found, me))
    throw createNoSuchMessageError()
  const { pair, conversation_id } = found
  await (pair === null
    ? requireGroupMembership(viewer, conversation_id)
    : requireReadablePrivateChat(viewer, findOtherUserIdInPrivateChatPair(pair, me)))
  const near = buildMessagesWithAuthorsQuery(viewer)
    .select(buildMessageAttachmentCountExpression('picture').as('images_count'))
    .where('m.conversation_id', '=', conversation_id)
    .where('m.deleted_at', 'is', null)
  const before = await near
    .where(messageIdOrderExpression, '<=', id)
    .orderBy(messageIdOrderExpression, 'desc')
    .limit(SURROUNDING_MESSAGES + 1)
    .execute()
  const after = await near
    .where(messageIdOrderExpression, '>', id)
    .orderBy(messageIdOrderExpression)
    .limit(SURROUNDING_MESSAGES)
    .execute()
  const shown = [...before.toReversed(), ...after].filter((row) => !isMessageHiddenByModeratorFrom(row, me))
  const fileNames = await readNonPictureFileNamesByMessageId(
    viewer.db,
    shown.map((row) => row.id),
  )
  return {
    author: found.user_id,
    pair: pair === null ? null : [me, findOtherUserIdInPrivateChatPair(pair, me)],
    messages: shown.map(({ id: message, user_id, body, images_count, created_at }) => ({
      id: message,
      user_id,
      text: body,
      images_count: Number(images_count),
      ...(fileNames.has(message) && { file_names: fileNames.get(message)! }),
      created_at,
    })),
  }
}

/** Locks the conversation of a message until the commit. Does nothing if there is no such message. */
export async function lockConversationOfMessage(tx: Tx, id: number) {
  const message = await tx
    .selectFrom('messages')
    .select('conversation_id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (message) await lockConversation(tx, message.conversation_id)
}

/**
 * Runs the function `run` under the lock of a message, so that changes of the message and their broadcasts
 * run one after the other in all server processes.
 */
export const withMessageLock = <T>({ withLock }: AppContext, id: number, run: () => Promise<T>) =>
  withLock(`message ${id}`, run)

/**
 * Hides a message from all people but its author, and ends the pin of the message. Throws 404 if the message
 * does not exist or is deleted.
 */
export async function hideMessageAsModerator(context: MemberContext, tx: Tx, id: number) {
  await lockMessage(tx, id)
  await tx.updateTable('messages').set({ hidden_at: currentIsoTime() }).where('id', '=', id).execute()
  await deleteMessagePin(tx, id)
  await broadcastRemovedMessage(context, tx, id)
}

/**
 * Ends the hiding of a message by a moderator. Throws 404 if the message does not exist or is deleted. Open
 * pages show the message when they load again.
 */
export async function unhideMessageAsModerator(tx: Tx, id: number) {
  await lockMessage(tx, id)
  await tx.updateTable('messages').set({ hidden_at: null }).where('id', '=', id).execute()
}

/**
 * Empties a message for a moderator, marks it as deleted and ends its pin. Deletes its pictures and files
 * after the commit. Throws 404 if the message does not exist or is deleted already.
 */
export async function softDeleteMessageAsModerator(context: MemberContext, tx: Tx, id: number) {
  const message = await lockMessage(tx, id)
  const pictures = await softDeleteMessage(tx, id)
  await context.emit(tx, 'message.deleted', toMessageEditedOrDeletedEventPayload(message))
  await broadcastRemovedMessage(context, tx, id)
  tx.afterCommit(() => context.media.deleteUnreferenced(pictures))
}

/**
 * Locks the conversation of a message until the commit, and returns the row of the message. Throws 404 if the
 * message does not exist or is deleted.
 */
async function lockMessage(tx: Tx, id: number) {
  const query = tx
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .selectAll('m')
    .select('c.pair')
    .where('m.id', '=', id)
    .where('m.deleted_at', 'is', null)
  const found = await query.executeTakeFirst()
  if (found && isPostgres(tx)) await lockConversation(tx, found.conversation_id)
  const message = found && (await query.executeTakeFirst())
  if (!message) throw createNoSuchMessageError()
  return message
}

/**
 * Broadcasts a message that a moderator has hidden or deleted to all members of its chat, as a deleted
 * message. The open pages of its author also show it as deleted until they load again.
 */
async function broadcastRemovedMessage(context: MemberContext, tx: Tx, id: number) {
  const viewer = { ...context, db: tx, me: { ...context.me, id: 0 } }
  const row = await tx
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .innerJoin(buildUnfilteredPersonRowsQuery(viewer).as('u'), 'u.id', 'm.user_id')
    .selectAll('m')
    .select(['c.pair', 'u.name', 'u.image', 'u.shared_handle', 'u.former_since'])
    .where('m.id', '=', id)
    .executeTakeFirstOrThrow()
  // Leaves out the attachments, the quote and the forwarding mark, because a removed message has no content.
  const parts = noMessageAttachments
  const { pair, user_id, conversation_id } = row
  if (pair !== null) {
    const other = findOtherUserIdInPrivateChatPair(pair, user_id)
    const message = createPrivateMessageMapper(other, user_id)(row, parts)
    tx.afterCommit(() =>
      broadcastMessageChange(context, {
        quote: null,
        private: { ...message, to_user_id: other },
      }),
    )
    return
  }
  const group = createGroupMessageMapper(viewer)({ ...row, is_blocked: null, is_muted: null }, parts)
  const members = await listConversationMemberIds(tx, conversation_id)
  tx.afterCommit(() => broadcastMessageChange(context, { quote: null, group, members }))
}
