import { sql } from 'kysely'
import type { CurrentUser, MemberContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import {
  buildVisibleOrBlockedPersonCondition,
  type MemberViewerContext,
} from '#features/people/visibility.ts'
import { messageIdOrderExpression, requireMessageInOwnChat } from './read.ts'
import { countUnreadMessagesInConversation } from './read-conversations.ts'
import { listAllowedViewerIdsOfReadMark } from './read-mark-sharing.ts'

// A member has two read marks in a conversation: their own (`last_read_id`), which decides what is unread,
// and the one that others see (`furthest_read_id`). Both move forward together. If the member marks
// messages as unread, only their own mark moves back: others have already seen that the member has read the
// messages, and should not learn that the member marks them as unread. Neither mark is ever moved to a
// message of somebody who has blocked the member, because members can read their own mark, and would learn
// from it that there is such a message.

/**
 * Returns a statement that moves the author's read mark to their own new message, unless there are unread
 * messages before it. Unread messages of people who have blocked the author do not count, because the author
 * would learn from the mark that there are such messages. `id` may be a column of the table in `from`.
 */
export const buildReadMarkUpdateStatementForOwnMessage = (
  me: CurrentUser,
  conversation: number,
  id: number,
) =>
  sql`update conversation_members set last_read_id = ${id}, furthest_read_id = ${id}, unopened_since = null
    where conversation_members.conversation_id = ${conversation}
      and conversation_members.user_id = ${me.id} and not exists (
      select m.id from messages m where m.conversation_id = ${conversation}
        and m.id + 0 > conversation_members.last_read_id + 0 and m.id + 0 < ${id}
        and m.user_id <> ${me.id} and m.deleted_at is null
        and ${buildVisibleOrBlockedPersonCondition({ me }, 'm.user_id')})`

/**
 * Moves the current member's read marks forward, never back, to the newest message with an id of at most
 * `last` that the member may know of. Also marks a new group as opened. Returns the member's own mark
 * (`last_read_id`), the author of the message at this mark, whether anything changed (`hasMoved`), and the
 * number of unread messages. `isSeenByOthers` is true if something changed and the mark that others see is at
 * the same message, and not at a newer one. In this case, `viewers` are the members who may see that mark
 * (`listAllowedViewerIdsOfReadMark`).
 */
export const moveReadMarkForward = (context: MemberContext, conversation: number, last: number) =>
  transaction(context.db, async (tx) => {
    const id = await findNewestKnownMessage({ ...context, db: tx }, conversation, last)
    const changed = await tx
      .updateTable('conversation_members')
      .set({
        last_read_id: sql<number>`case when last_read_id < ${id} then ${id} else last_read_id end`,
        furthest_read_id: sql<number>`case when furthest_read_id < ${id} then ${id} else furthest_read_id end`,
        unopened_since: null,
      })
      .where('conversation_id', '=', conversation)
      .where('user_id', '=', context.me.id)
      .where((q) => q.or([q('last_read_id', '<', id), q('unopened_since', 'is not', null)]))
      .returning(['last_read_id', 'furthest_read_id'])
      .executeTakeFirst()
    const unread = await countUnreadMessagesInConversation({ ...context, db: tx }, conversation)
    const last_read_id = changed?.last_read_id ?? id
    if (changed) await emitConversationRead(context, tx, conversation, last_read_id)
    const author_id = await findAuthor(tx, last_read_id)
    const isSeenByOthers = changed !== undefined && changed.furthest_read_id === last_read_id
    const viewers = isSeenByOthers
      ? await listAllowedViewerIdsOfReadMark(tx, conversation, context.me.id)
      : undefined
    return { last_read_id, author_id, hasMoved: changed !== undefined, isSeenByOthers, viewers, unread }
  })

const emitConversationRead = (
  { emit, me }: MemberContext,
  tx: Tx,
  conversation_id: number,
  last_read_id: number,
) => emit(tx, 'conversation.read', { user_id: me.id, conversation_id, last_read_id })

/**
 * Moves the current member's own read mark back to before a message. Throws 403 or 404 unless the member may
 * read the message. Returns the id of the conversation, the other person of a private chat, and the number of
 * unread messages.
 */
export const moveReadMarkBackBeforeMessage = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const { conversation_id, other } = await requireMessageInOwnChat(viewer, id)
    const last_read_id = await findNewestKnownMessage(viewer, conversation_id, id - 1)
    await tx
      .updateTable('conversation_members')
      .set({ last_read_id })
      .where('conversation_id', '=', conversation_id)
      .where('user_id', '=', context.me.id)
      .where('last_read_id', '>', last_read_id)
      .execute()
    return {
      conversation_id,
      other,
      unread: await countUnreadMessagesInConversation(viewer, conversation_id),
    }
  })

/**
 * Returns the id of the newest message, among those with ids of at most `last`, that the viewer may know of;
 * 0 if there is none.
 */
async function findNewestKnownMessage(viewer: MemberViewerContext, conversation: number, last: number) {
  const message = await viewer.db
    .selectFrom('messages as m')
    .select('m.id')
    .where('m.conversation_id', '=', conversation)
    .where(messageIdOrderExpression, '<=', last)
    .where(buildVisibleOrBlockedPersonCondition(viewer, 'm.user_id'))
    .orderBy(messageIdOrderExpression, 'desc')
    .limit(1)
    .executeTakeFirst()
  return message?.id ?? 0
}

/** Returns the id of the author of a message; undefined if there is no such message. */
async function findAuthor(tx: Tx, id: number) {
  const row = await tx.selectFrom('messages').select('user_id').where('id', '=', id).executeTakeFirst()
  return row?.user_id
}
