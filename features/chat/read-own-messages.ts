import { type SqlBool, sql } from 'kysely'
import { currentIsoTime } from '#core/database/database.ts'
import { buildAllFollowedIdsQuery } from '#features/people/read-follows.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'

/**
 * Returns a query for the messages (`m`) of the viewer that are not deleted, in the groups of the viewer and
 * in the private chats that the viewer can open: with people whom the viewer follows, or who have written to
 * the viewer. Does not check whether the viewer may see the other person of a private chat.
 */
const ownMessagesQuery = (viewer: MemberViewerContext) =>
  viewer.db
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'm.conversation_id')
    .where('m.user_id', '=', viewer.me.id)
    .where('mine.user_id', '=', viewer.me.id)
    .where('m.deleted_at', 'is', null)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('c.pair', 'is', null),
        eb('mine.first_received_at', 'is not', null),
        exists(
          selectFrom('conversation_members as theirs')
            .select('theirs.user_id')
            .whereRef('theirs.conversation_id', '=', 'm.conversation_id')
            .where('theirs.user_id', 'in', buildAllFollowedIdsQuery(viewer)),
        ),
      ]),
    )

/**
 * Returns an SQL condition: the message is in the result of `ownMessagesQuery`. `id` is the name of the
 * column with the id of the message.
 */
export const buildAccessibleOwnMessageCondition = (viewer: MemberViewerContext, id: string) =>
  sql<SqlBool>`exists ${ownMessagesQuery(viewer).select('m.id').where('m.id', '=', sql.ref<number>(id))}`

/**
 * Reads the messages with these ids that are in the result of `ownMessagesQuery`, as a map by message id.
 * `group_id` is null for a message of a private chat.
 */
export async function readAccessibleOwnMessagesById(viewer: MemberViewerContext, ids: readonly number[]) {
  if (!ids.length) return new Map<number, { id: number; body: string; group_id: number | null }>()
  const rows = await ownMessagesQuery(viewer)
    .select(['m.id', 'm.body', 'm.conversation_id', 'c.pair'])
    .where('m.id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ id, body, conversation_id, pair }) => [
      id,
      { id, body, group_id: pair === null ? conversation_id : null },
    ]),
  )
}

/** Returns a query for the ids of the conversations that the viewer has muted at the moment. */
const mutedConversationIdsQuery = ({ db, me }: MemberViewerContext) =>
  db
    .selectFrom('conversation_members as muting')
    .select('muting.conversation_id')
    .where('muting.user_id', '=', me.id)
    .where('muting.muted_until', '>', currentIsoTime())

/**
 * Returns an SQL condition: the viewer has muted the conversation. `id` is the name of the column with the
 * id of the conversation.
 */
export const buildMutedConversationCondition = (viewer: MemberViewerContext, id: string) =>
  sql<SqlBool>`${sql.ref(id)} in ${mutedConversationIdsQuery(viewer)}`

/**
 * Returns an SQL condition: the message is in a conversation that the viewer has muted. `id` is the name of
 * the column with the id of the message.
 */
export const buildMessageInMutedConversationCondition = (viewer: MemberViewerContext, id: string) =>
  sql<SqlBool>`exists ${viewer.db
    .selectFrom('messages as of_muted')
    .select('of_muted.id')
    .where('of_muted.id', '=', sql.ref<number>(id))
    .where('of_muted.conversation_id', 'in', mutedConversationIdsQuery(viewer))}`
