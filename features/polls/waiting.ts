import { type SqlBool, sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { isoNow } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as people from '#features/people/read.ts'
import * as visibility from '#features/people/visibility.ts'
import * as audiences from '#features/posts/audiences.ts'
import { subjects } from '#features/reactions/subjects.ts'
import type { WaitingPoll } from './contract.ts'

/** Running polls of others that the member may answer, and has not. Of chats, also those with hidden messages. */
const query = (viewer: MemberContext) =>
  viewer.db
    .selectFrom('polls as p')
    .innerJoin(people.rows(viewer).as('u'), 'u.id', 'p.user_id')
    .leftJoin('posts as x', 'x.id', 'p.post_id')
    .leftJoin('messages as m', 'm.id', 'p.message_id')
    .leftJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(['p.id', 'p.post_id', 'p.message_id', 'p.kind', 'p.ends_at', 'p.created_at', 'c.pair'])
    .select(['m.conversation_id', sql<string | null>`coalesce(x.body, m.body)`.as('text')])
    .select(['u.id as user_id', 'u.name', 'u.image', 'u.shared_handle'])
    .where('p.ended_at', 'is', null)
    .where((is) => is.or([is('p.ends_at', 'is', null), is('p.ends_at', '>', isoNow())]))
    .where('p.user_id', '!=', viewer.me.id)
    .where(visibility.notMuted(viewer, 'p.user_id'))
    .where(
      sql<SqlBool>`not exists (select 1 from poll_voters v
        where v.poll_id = p.id and v.user_id = ${viewer.me.id})`,
    )
    .where((is) =>
      is.or([
        audiences.visible(viewer, 'p.post_id'),
        sql<SqlBool>`exists (select 1 from conversation_members mine
          where mine.conversation_id = m.conversation_id and mine.user_id = ${viewer.me.id})`,
      ]),
    )

/** The newest first. */
export async function list(viewer: MemberContext, page: PageParams) {
  const rows = await pageOf(query(viewer), 'p.id', page, 'desc').execute()
  const inChats = rows.flatMap(({ message_id }) => message_id ?? [])
  const visible = new Set(await subjects.message.listVisibleIds(viewer, inChats))
  const toPoll = (row: (typeof rows)[number]): WaitingPoll[] => {
    const { id, kind, ends_at, created_at, post_id, message_id, text, user_id, name, image } = row
    if (message_id !== null && !visible.has(message_id)) return []
    const user = people.fromRow(viewer.media, { id: user_id, name, image, shared_handle: row.shared_handle })
    const group_id = row.pair === null ? row.conversation_id : null
    return [{ id, kind, ends_at, created_at, post_id, message_id, group_id, text, user }]
  }
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) => shown.flatMap(toPoll),
  )
}
