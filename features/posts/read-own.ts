import { sql } from 'kysely'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as audiences from './audiences.ts'
import { andCursor } from './followed-posts.ts'
import * as read from './read.ts'

export async function countOwnPosts({ db, me }: MemberViewer) {
  const { count } = await db
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', me.id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Newest first. */
export async function listOwnPosts(viewer: MemberViewer, page: PageParams) {
  const { rows } = await sql<{ id: number }>`select p.id from posts p where p.user_id = ${viewer.me.id}
    ${andCursor(page, sql`p.id + 0`)} order by p.id + 0 desc limit ${page.limit + 1}`.execute(viewer.db)
  const ids = rows.slice(0, page.limit).map(({ id }) => id)
  const found = await read.revisions(viewer, ids)
  const posts = found.map(({ post }) => post).sort((a, b) => b.id - a.id)
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    () => posts,
  )
}

/** Only posts that the viewer may see, each with the time of the like. The newest post is first. */
export async function listLiked(viewer: MemberViewer, { before, limit }: PageParams) {
  const rows = await viewer.db
    .selectFrom('likes as l')
    .innerJoin('posts as p', 'p.id', 'l.post_id')
    .innerJoin(people.rows(viewer).as('u'), 'u.id', 'p.user_id')
    .select(['p.id', 'p.body', 'p.created_at', 'l.created_at as liked_at'])
    .select(['u.id as author_id', 'u.name', 'u.image', 'u.shared_handle'])
    .where('l.user_id', '=', viewer.me.id)
    .where(audiences.shown(viewer, 'p'))
    .$if(before !== undefined, (query) => query.where('l.post_id', '<', before!))
    .orderBy('l.post_id', 'desc')
    .limit(limit + 1)
    .execute()
  return paged(
    rows,
    limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(({ author_id, name, image, shared_handle, ...row }) => ({
        ...row,
        user: people.fromRow(viewer.media, { id: author_id, name, image, shared_handle }),
      })),
  )
}

/** Only posts that the viewer may see, each with the time of the bookmark. The newest bookmark is first. */
export async function listBookmarked(viewer: MemberViewer, { before, limit }: PageParams) {
  const rows = await viewer.db
    .selectFrom('bookmarks as b')
    .innerJoin('posts as p', 'p.id', 'b.post_id')
    .innerJoin(people.rows(viewer).as('u'), 'u.id', 'p.user_id')
    .select(['b.id as bookmark', 'p.id', 'p.body', 'p.created_at', 'b.created_at as bookmarked_at'])
    .select(['u.id as author_id', 'u.name', 'u.image', 'u.shared_handle'])
    .where('b.user_id', '=', viewer.me.id)
    .where(audiences.shown(viewer, 'p'))
    .$if(before !== undefined, (query) => query.where(sql`b.id + 0`, '<', before!))
    .orderBy(sql`b.id + 0`, 'desc')
    .limit(limit + 1)
    .execute()
  return paged(
    rows,
    limit,
    (last) => ({ before: last.bookmark }),
    (shown) =>
      shown.map(({ author_id, name, image, shared_handle, bookmark: _, ...row }) => ({
        ...row,
        user: people.fromRow(viewer.media, { id: author_id, name, image, shared_handle }),
      })),
  )
}
