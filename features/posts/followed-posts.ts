import { type RawBuilder, sql } from 'kysely'
import type { PaginationParameters } from '#core/contract.ts'
import { isPostgres } from '#core/database/database.ts'
import { buildVisibleFollowedIdsQuery } from '#features/people/read-follows.ts'
import { buildNotMutedCondition, type MemberViewerContext } from '#features/people/visibility.ts'
import { buildPostAudienceAndNotHiddenCondition } from './visible-posts.ts'

type Ids = { id: number }

/**
 * The number of the newest posts of all people among which posts of followed people are searched first. For
 * members who follow people who post often, this search is enough.
 */
export const MAX_RECENT_POSTS_SEARCHED = 300

/**
 * Returns the ids of one page of the posts of followed people, newest first, and one id more if there is a
 * next page. Searches the newest posts of all people first. If the page is not full then (because the
 * followed people post rarely, or the page is far down), a second query searches the posts of each followed
 * person.
 */
export async function listPageOfPostIdsByFollowedPeoplePlusOne(
  viewer: MemberViewerContext,
  params: PaginationParameters,
) {
  const recent = await sql<Ids>`${recentPostsQuery(viewer, params)}`.execute(viewer.db)
  return recent.rows.length > params.limit
    ? recent.rows.map(({ id }) => id)
    : listPostIdsSearchingEachFollowedPerson(viewer, params)
}

/**
 * Returns the same ids as `listPageOfPostIdsByFollowedPeoplePlusOne`, by a query that searches the posts of
 * each followed person.
 */
export async function listPostIdsSearchingEachFollowedPerson(
  viewer: MemberViewerContext,
  params: PaginationParameters,
): Promise<readonly number[]> {
  const { rows } = await sql<Ids>`${newestAuthorsQuery(viewer, params)}`.execute(viewer.db)
  return rows.map(({ id }) => id)
}

/**
 * Builds the query for the ids (`followed_id`) of the people whom the viewer follows, may see and has not
 * muted.
 */
export const buildUnmutedFollowedIdsQuery = (viewer: MemberViewerContext) =>
  buildVisibleFollowedIdsQuery(viewer).where(buildNotMutedCondition(viewer, 'follows.followed_id'))

function recentPostsQuery(viewer: MemberViewerContext, params: PaginationParameters) {
  const recent = sql`select p.id, p.user_id from posts p
    where ${buildPostAudienceAndNotHiddenCondition(viewer, 'p')} ${buildCursorSqlStartingWithAnd(params, sql`p.id`)} order by p.id desc limit ${MAX_RECENT_POSTS_SEARCHED}`
  const isFollowed = buildUnmutedFollowedIdsQuery(viewer).where(
    'follows.followed_id',
    '=',
    sql<number>`p.user_id`,
  )
  return sql`select p.id from (${recent}) p where exists ${isFollowed}
    order by p.id desc limit ${params.limit + 1}`
}

/**
 * Builds the query for the ids of the posts of one page, which searches the posts of each followed person. It
 * takes only the people with the newest posts, because a page has at most as many authors as posts. People
 * without posts come last. A condition that excludes them would make PostgreSQL search each person's newest
 * post twice.
 */
function newestAuthorsQuery(viewer: MemberViewerContext, params: PaginationParameters) {
  const maxRows = params.limit + 1
  const postsOf = (author: RawBuilder<unknown>, limit: number) =>
    sql`select p.id from posts p where p.user_id = ${author} and ${buildPostAudienceAndNotHiddenCondition(viewer, 'p')}
      ${buildCursorSqlStartingWithAnd(params, sql`p.id + 0`)}
      order by p.id + 0 desc limit ${limit}`
  const authors = sql`select author from (
      select f.followed_id as author, (${postsOf(sql`f.followed_id`, 1)}) as newest from ${buildUnmutedFollowedIdsQuery(viewer)} f
    ) newest_posts order by newest desc nulls last limit ${maxRows}`
  const posts = isPostgres(viewer.db)
    ? sql`cross join lateral (${postsOf(sql`authors.author`, maxRows)}) p`
    : sql`join posts p on p.id in (${postsOf(sql`authors.author`, maxRows)})`
  return sql`with authors as (${authors}) select p.id from authors ${posts} order by p.id desc limit ${maxRows}`
}

export const buildCursorSqlStartingWithAnd = (
  { before, after }: PaginationParameters,
  cursor: RawBuilder<unknown>,
) =>
  sql`${before === undefined ? sql`` : sql`and ${cursor} < ${before}`}
    ${after === undefined ? sql`` : sql`and ${cursor} > ${after}`}`
