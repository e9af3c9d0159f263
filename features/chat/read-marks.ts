import { sql } from 'kysely'
import type { CurrentUser, MemberContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { buildVisibleOrBlockedCondition } from '#features/people/visibility.ts'
import { messageIdOrderExpression } from './read.ts'
import { countUnreadInConversation } from './read-conversations.ts'

// The read mark of a member in a conversation. It is never moved to a message of somebody who has blocked the
// member: members read their own mark, and would learn from it that there is such a message.

/**
 * Moves the author's read mark to their own new message, unless there are unread messages before it. Unread
 * messages of people who have blocked the author do not count, because the author would learn from the mark
 * that there are such messages.
 */
export const moveReadMarkToOwnMessage = (tx: Tx, me: CurrentUser, conversation: number, id: number) =>
  sql`update conversation_members set last_read_id = ${id}, unopened_since = null
    where conversation_id = ${conversation} and user_id = ${me.id} and not exists (
      select m.id from messages m where m.conversation_id = ${conversation}
        and m.id + 0 > conversation_members.last_read_id + 0 and m.id + 0 < ${id}
        and m.user_id <> ${me.id} and m.deleted_at is null
        and ${buildVisibleOrBlockedCondition({ me }, 'm.user_id')})`.execute(tx)

/**
 * Moves the member's read mark forward, never back, to the newest message with an id of at most `last` that
 * the member may know of. Also marks a new group as opened. Returns the mark, the author of the message at
 * the mark, whether anything changed, and the number of unread messages.
 */
export const moveReadMark = (context: MemberContext, conversation: number, last: number) =>
  transaction(context.db, async (tx) => {
    const message = await tx
      .selectFrom('messages as m')
      .select('m.id')
      .where('m.conversation_id', '=', conversation)
      .where(messageIdOrderExpression, '<=', last)
      .where(buildVisibleOrBlockedCondition(context, 'm.user_id'))
      .orderBy(messageIdOrderExpression, 'desc')
      .limit(1)
      .executeTakeFirst()
    const id = message?.id ?? 0
    const changed = await tx
      .updateTable('conversation_members')
      .set({
        last_read_id: sql<number>`case when last_read_id < ${id} then ${id} else last_read_id end`,
        unopened_since: null,
      })
      .where('conversation_id', '=', conversation)
      .where('user_id', '=', context.me.id)
      .where((q) => q.or([q('last_read_id', '<', id), q('unopened_since', 'is not', null)]))
      .returning('last_read_id')
      .executeTakeFirst()
    const unread = await countUnreadInConversation({ ...context, db: tx }, conversation)
    const last_read_id = changed?.last_read_id ?? id
    const author_id = await findAuthor(tx, last_read_id)
    return { last_read_id, author_id, hasMoved: changed !== undefined, unread }
  })

/** Returns the author of a message; undefined if there is no such message. */
async function findAuthor(tx: Tx, id: number) {
  const row = await tx.selectFrom('messages').select('user_id').where('id', '=', id).executeTakeFirst()
  return row?.user_id
}
