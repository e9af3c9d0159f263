import { sql } from 'kysely'
import type { PaginationParameters } from '#core/contract.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { buildVisiblePersonRowsQuery, toPersonFromRow } from '#features/people/read.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { buildCursorSqlStartingWithAnd } from './followed-posts.ts'
import { readVisibleViewerIndependentPostsAndRevisions } from './read.ts'
import { buildPostAudienceAndNotHiddenCondition } from './visible-posts.ts'

// The functions in this file read the posts, likes and bookmarks of the viewer. The export of the viewer's
// data uses them.

export async function countOwnPosts({ db, me }: MemberViewerContext) {
  const { count } = await db
    .selectFrom('posts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', me.id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns one page of the posts that the viewer wrote, newest first. */
export async function listOwnPosts(viewer: MemberViewerContext, page: PaginationParameters) {
  const { rows } = await sql<{ id: number }>`select p.id from posts p where p.user_id = ${viewer.me.id}
    ${buildCursorSqlStartingWithAnd(page, sql`p.id + 0`)} order by p.id + 0 desc limit ${page.limit + 1}`.execute(
    viewer.db,
  )
  const ids = rows.slice(0, page.limit).map(({ id }) => id)
  const found = await readVisibleViewerIndependentPostsAndRevisions(viewer, ids)
  const posts = found.map(({ post }) => post).sort((a, b) => b.id - a.id)
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    () => posts,
  )
}

/**
 * Returns one page of the posts that the viewer likes and may see, each with the time of the like. The newest
 * post is first.
 */
export async function listLikedPostsForExport(
  viewer: MemberViewerContext,
  { before, limit }: PaginationParameters,
) {
  const rows = await viewer.db
    .selectFrom('likes as l')
    .innerJoin('posts as p', 'p.id', 'l.post_id')
    .innerJoin(buildVisiblePersonRowsQuery(viewer).as('u'), 'u.id', 'p.user_id')
    .select(['p.id', 'p.body', 'p.created_at', 'l.created_at as liked_at'])
    .select(['u.id as author_id', 'u.name', 'u.image', 'u.shared_handle'])
    .where('l.user_id', '=', viewer.me.id)
    .where(buildPostAudienceAndNotHiddenCondition(viewer, 'p'))
    .$if(before !== undefined, (query) => query.where('l.post_id', '<', before!))
    .orderBy('l.post_id', 'desc')
    .limit(limit + 1)
    .execute()
  return toPagedResponse(
    rows,
    limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(({ author_id, name, image, shared_handle, ...row }) => ({
        ...row,
        user: toPersonFromRow(viewer.media, { id: author_id, name, image, shared_handle }),
      })),
  )
}

/**
 * Returns one page of the posts that the viewer has bookmarked and may see, each with the time of the
 * bookmark. The newest bookmark is first.
 */
export async function listBookmarkedPostsForExport(
  viewer: MemberViewerContext,
  { before, limit }: PaginationParameters,
) {
  const rows = await viewer.db
    .selectFrom('bookmarks as b')
    .innerJoin('posts as p', 'p.id', 'b.post_id')
    .innerJoin(buildVisiblePersonRowsQuery(viewer).as('u'), 'u.id', 'p.user_id')
    .select(['b.id as bookmark', 'p.id', 'p.body', 'p.created_at', 'b.created_at as bookmarked_at'])
    .select(['u.id as author_id', 'u.name', 'u.image', 'u.shared_handle'])
    .where('b.user_id', '=', viewer.me.id)
    .where(buildPostAudienceAndNotHiddenCondition(viewer, 'p'))
    .$if(before !== undefined, (query) => query.where(sql`b.id + 0`, '<', before!))
    .orderBy(sql`b.id + 0`, 'desc')
    .limit(limit + 1)
    .execute()
  return toPagedResponse(
    rows,
    limit,
    (last) => ({ before: last.bookmark }),
    (shown) =>
      shown.map(({ author_id, name, image, shared_handle, bookmark: _, ...row }) => ({
        ...row,
        user: toPersonFromRow(viewer.media, { id: author_id, name, image, shared_handle }),
      })),
  )
}
