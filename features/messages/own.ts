import { type SqlBool, sql } from 'kysely'
import { isoNow } from '#core/database/database.ts'
import { allFollowed } from '#features/people/read-follows.ts'
import type { MemberViewer } from '#features/people/visibility.ts'

/** Undeleted, in chats that the viewer can open. Does not check whether they may see the other person. */
const ownMessagesQuery = (viewer: MemberViewer) =>
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
            .where('theirs.user_id', 'in', allFollowed(viewer)),
        ),
      ]),
    )

/** SQL condition: in `ownMessagesQuery`. `id` is the column with the id of the message. */
export const isOwn = (viewer: MemberViewer, id: string) =>
  sql<SqlBool>`exists ${ownMessagesQuery(viewer).select('m.id').where('m.id', '=', sql.ref<number>(id))}`

/** From `ownMessagesQuery`, by message id. `group_id` is null for a private chat. */
export async function get(viewer: MemberViewer, ids: readonly number[]) {
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

const mutedChats = ({ db, me }: MemberViewer) =>
  db
    .selectFrom('conversation_members as muting')
    .select('muting.conversation_id')
    .where('muting.user_id', '=', me.id)
    .where('muting.muted_until', '>', isoNow())

/** SQL condition. `id` is the column with the id of the conversation. */
export const isMutedChat = (viewer: MemberViewer, id: string) =>
  sql<SqlBool>`${sql.ref(id)} in ${mutedChats(viewer)}`

/** SQL condition. `id` is the column with the id of the message. */
export const isInMutedChat = (viewer: MemberViewer, id: string) =>
  sql<SqlBool>`exists ${viewer.db
    .selectFrom('messages as of_muted')
    .select('of_muted.id')
    .where('of_muted.id', '=', sql.ref<number>(id))
    .where('of_muted.conversation_id', 'in', mutedChats(viewer))}`
