import { sql } from 'kysely'
import type { CurrentUser, MemberContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import * as chats from './read.ts'
import { listMarkViewers } from './read-mark-sharing.ts'
import { countUnread } from './unread.ts'

// A member has two read marks in a conversation: `last_read_id`, which decides what is unread, and
// `furthest_read_id`, which others see. Both move forward together; marking as unread moves only the first
// back, because others should not learn of it. Neither mark is ever moved to a message of somebody who has
// blocked the member, who would learn from it that there is such a message.

/**
 * To the author's own new message, unless there are unread messages before it; those of people who have
 * blocked the author do not count. `id` may be a column of the table in `from`.
 */
export const updateForOwn = (me: CurrentUser, conversation: number, id: number) =>
  sql`update conversation_members set last_read_id = ${id}, furthest_read_id = ${id}, unopened_since = null
    where conversation_members.conversation_id = ${conversation}
      and conversation_members.user_id = ${me.id} and not exists (
      select m.id from messages m where m.conversation_id = ${conversation}
        and m.id + 0 > conversation_members.last_read_id + 0 and m.id + 0 < ${id}
        and m.user_id <> ${me.id} and m.deleted_at is null
        and ${visibility.seenOrBlocked({ me }, 'm.user_id')})`

/**
 * Never back. To the newest message up to `last` that the member may know of; also marks a new group as
 * opened. `isSeenByOthers`: something changed, and the mark that others see is at the same message, not at a
 * newer one. `viewers` are then those who may see it (`listMarkViewers`).
 */
export const moveForward = (context: MemberContext, conversation: number, last: number) =>
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
    const unread = await countUnread({ ...context, db: tx }, conversation)
    const last_read_id = changed?.last_read_id ?? id
    if (changed) await emitConversationRead(context, tx, conversation, last_read_id)
    const author_id = await findAuthor(tx, last_read_id)
    const isSeenByOthers = changed !== undefined && changed.furthest_read_id === last_read_id
    const viewers = isSeenByOthers ? await listMarkViewers(tx, conversation, context.me.id) : undefined
    return { last_read_id, author_id, hasMoved: changed !== undefined, isSeenByOthers, viewers, unread }
  })

const emitConversationRead = (
  { emit, me }: MemberContext,
  tx: Tx,
  conversation_id: number,
  last_read_id: number,
) => emit(tx, 'conversation.read', { user_id: me.id, conversation_id, last_read_id })

/** Own mark only, to before the message. 403 or 404 unless the member may read it. */
export const moveBack = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const { conversation_id, other } = await chats.requireInChat(viewer, id)
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
      unread: await countUnread(viewer, conversation_id),
    }
  })

/** Up to `last`; 0 if there is none. */
async function findNewestKnownMessage(viewer: MemberViewer, conversation: number, last: number) {
  const message = await viewer.db
    .selectFrom('messages as m')
    .select('m.id')
    .where('m.conversation_id', '=', conversation)
    .where(chats.idOrder, '<=', last)
    .where(visibility.seenOrBlocked(viewer, 'm.user_id'))
    .orderBy(chats.idOrder, 'desc')
    .limit(1)
    .executeTakeFirst()
  return message?.id ?? 0
}

async function findAuthor(tx: Tx, id: number) {
  const row = await tx.selectFrom('messages').select('user_id').where('id', '=', id).executeTakeFirst()
  return row?.user_id
}
