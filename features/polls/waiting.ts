import { type SqlBool, sql } from 'kysely'
import { type MemberContext, withoutRoles } from '#core/context.ts'
import { isoNow } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as chats from '#features/conversations/read.ts'
import * as guardians from '#features/guardians/read.ts'
import * as people from '#features/people/read.ts'
import * as visibility from '#features/people/visibility.ts'
import * as audiences from '#features/posts/audiences.ts'
import * as posts from '#features/posts/read.ts'
import { subjects } from '#features/reactions/subjects.ts'
import type { WaitingPoll } from './contract.ts'

const notAnsweredBy = (member: number) =>
  sql<SqlBool>`not exists (select 1 from poll_voters v where v.poll_id = p.id and v.user_id = ${member})`

/**
 * Running polls that the member may answer for itself (if they are of others) or for a child, and has not. Of
 * chats, also those with hidden messages.
 */
const query = (viewer: MemberContext, children: readonly { id: number }[]) =>
  viewer.db
    .selectFrom('polls as p')
    .innerJoin(people.rows(viewer).as('u'), 'u.id', 'p.user_id')
    .select(['p.id', 'p.post_id', 'p.message_id', 'p.kind', 'p.ends_at', 'p.created_at'])
    .select(['u.id as user_id', 'u.name', 'u.image', 'u.shared_handle'])
    .where('p.ended_at', 'is', null)
    .where((is) => is.or([is('p.ends_at', 'is', null), is('p.ends_at', '>', isoNow())]))
    .where(visibility.notMuted(viewer, 'p.user_id'))
    .where((is) => is.or([audiences.asks(viewer, 'p.post_id'), chats.inOpenChats(viewer, 'p.message_id')]))
    .where((is) =>
      is.or([
        is.and([is('p.user_id', '!=', viewer.me.id), notAnsweredBy(viewer.me.id)]),
        ...children.map(({ id }) => {
          const child = withoutRoles(viewer, id)
          return is.and([
            is('p.kind', '!=', 'choice'),
            is('p.user_id', '!=', id),
            notAnsweredBy(id),
            is.or([audiences.asks(child, 'p.post_id'), chats.inOpenChats(child, 'p.message_id')]),
          ])
        }),
      ]),
    )

/** The newest first. */
export async function list(viewer: MemberContext, page: PageParams) {
  const children = await guardians.listChildren(viewer)
  const rows = await pageOf(query(viewer, children), 'p.id', page, 'desc').execute()
  const inChats = rows.flatMap(({ message_id }) => message_id ?? [])
  const inPosts = rows.flatMap(({ post_id }) => post_id ?? [])
  const [visible, found, texts] = await Promise.all([
    subjects.message.listVisibleIds(viewer, inChats),
    posts.revisions(viewer, inPosts),
    chats.listTexts(viewer.db, inChats),
  ])
  const toPoll = (row: (typeof rows)[number]): WaitingPoll[] => {
    const { id, kind, ends_at, created_at, post_id, message_id, user_id, name, image } = row
    if (message_id !== null && !visible.includes(message_id)) return []
    const user = people.fromRow(viewer.media, { id: user_id, name, image, shared_handle: row.shared_handle })
    const message = texts.find((one) => one.id === message_id)
    const text = message?.body ?? found.find(({ post }) => post.id === post_id)?.post.body ?? null
    const group_id = message?.group ?? null
    return [{ id, kind, ends_at, created_at, post_id, message_id, group_id, text, user }]
  }
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) => shown.flatMap(toPoll),
  )
}
