import { type RawBuilder, sql } from 'kysely'
import type { PaginationParameters } from '#core/contract.ts'
import { isPostgres } from '#core/database/database.ts'
import { buildAllFollowedIdsQuery, buildVisibleFollowedIdsQuery } from '#features/people/read-follows.ts'
import { buildReachCondition, type MemberViewerContext } from '#features/people/visibility.ts'
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
 * followed people post rarely, or the page is far down), another query searches the posts of the followed
 * people.
 */
export async function listPageOfPostIdsByFollowedPeoplePlusOne(
  viewer: MemberViewerContext,
  params: PaginationParameters,
) {
  const recent = await sql<Ids>`${recentPostsQuery(viewer, params)}`.execute(viewer.db)
  if (recent.rows.length > params.limit) return recent.rows.map(({ id }) => id)
  const isFirstPage = params.before === undefined && params.after === undefined
  return isFirstPage ? listNewestPostIds(viewer, params) : listPostIdsSearchingEachPerson(viewer, params)
}

/**
 * The number of people whose posts `likelyAuthorsQuery` reads besides those of `limit + 1` people, because the
 * viewer may not see the newest posts of some of them.
 */
const SPARE_AUTHORS = 20

/**
 * Returns the ids of the newest posts of followed people before the post `before`, and one id more than
 * `limit` if there are more. First reads only the posts of the people who posted most recently. If a post of
 * somebody else may belong on the page, searches the posts of all followed people. That happens if the viewer
 * may not see many of the newest posts, or if many of these people have posted after `before`.
 */
export async function listNewestPostIds(
  viewer: MemberViewerContext,
  params: { limit: number; before?: number | undefined },
): Promise<readonly number[]> {
  const { rows } = await sql<LikelyPost>`${likelyAuthorsQuery(viewer, params)}`.execute(viewer.db)
  const ids = rows.flatMap(({ id }) => id ?? [])
  const { newest_of_others } = rows[0]!
  const isFull = ids.length > params.limit
  if (newest_of_others === null || (isFull && ids.at(-1)! > newest_of_others)) return ids
  return listPostIdsSearchingEachPerson(viewer, params)
}

async function listPostIdsSearchingEachPerson(
  viewer: MemberViewerContext,
  params: PaginationParameters,
): Promise<readonly number[]> {
  const { rows } = await sql<Ids>`${newestAuthorsQuery(viewer, params)}`.execute(viewer.db)
  return rows.map(({ id }) => id)
}

/**
 * Builds the query for the ids (`followed_id`) of the people whom the viewer follows and whose posts reach
 * the viewer.
 */
export const buildReachingFollowedIdsQuery = (viewer: MemberViewerContext) =>
  buildVisibleFollowedIdsQuery(viewer).where(buildReachCondition(viewer, 'follows.followed_id'))

function recentPostsQuery(viewer: MemberViewerContext, params: PaginationParameters) {
  const recent = sql`select p.id, p.user_id from posts p
    where ${buildPostAudienceAndNotHiddenCondition(viewer, 'p')} ${buildCursorSqlStartingWithAnd(params, sql`p.id`)} order by p.id desc limit ${MAX_RECENT_POSTS_SEARCHED}`
  const isFollowed = buildReachingFollowedIdsQuery(viewer).where(
    'follows.followed_id',
    '=',
    sql<number>`p.user_id`,
  )
  return sql`select p.id from (${recent}) p where exists ${isFollowed}
    order by p.id desc limit ${params.limit + 1}`
}

/**
 * A row of `likelyAuthorsQuery`. `id` is a post; it is null in the only row if no post was found.
 * `newest_of_others` is the same in all rows: no post of the followed people who were left out has a larger
 * id. It is null if nobody was left out.
 */
interface LikelyPost {
  id: number | null
  newest_of_others: number | null
}

/**
 * Builds the query for the posts of the followed people with the newest posts, whether or not the viewer may
 * see these newest posts. The table `newest_posts` makes it several times faster than `newestAuthorsQuery`
 * for a viewer who follows thousands of people.
 */
function likelyAuthorsQuery(viewer: MemberViewerContext, params: PaginationParameters) {
  const maxAuthors = params.limit + 1 + SPARE_AUTHORS
  const followed = buildAllFollowedIdsQuery(viewer)
    .innerJoin('newest_posts', 'newest_posts.user_id', 'follows.followed_id')
    .select(['followed_id as author', 'newest_posts.post_id as newest'])
    .where(buildReachCondition(viewer, 'follows.followed_id'))
  const mayBeShown = buildReachingFollowedIdsQuery(viewer).where(
    'follows.followed_id',
    '=',
    sql<number>`likely.author`,
  )
  return sql`with followed as materialized (
      select author, newest from ${followed} followed order by newest desc limit ${maxAuthors + 1}),
    authors as (select author from (select author from followed order by newest desc limit ${maxAuthors}) likely
      where exists ${mayBeShown})
    select page.id, others.newest_of_others
    from (select case when count(*) > ${maxAuthors} then min(newest) end as newest_of_others
      from followed) others
    left join (${postsOfAuthorsQuery(viewer, params)}) page on true
    order by page.id desc`
}

/**
 * Builds the query for the ids of the posts of one page, which searches the posts of each followed person. It
 * takes only the people with the newest posts, because a page has at most as many authors as posts. People
 * without posts come last. A condition that excludes them would make PostgreSQL search each person's newest
 * post twice.
 */
function newestAuthorsQuery(viewer: MemberViewerContext, params: PaginationParameters) {
  const newest = visiblePostsOf(viewer, params, sql`f.followed_id`, 1)
  const authors = sql`select author from (
      select f.followed_id as author, (${newest}) as newest from ${buildReachingFollowedIdsQuery(viewer)} f
    ) newest_of_each order by newest desc nulls last limit ${params.limit + 1}`
  return sql`with authors as (${authors}) ${postsOfAuthorsQuery(viewer, params)}`
}

/** Builds the query for the ids of the newest visible posts of all people in the table `authors`. */
function postsOfAuthorsQuery(viewer: MemberViewerContext, params: PaginationParameters) {
  const maxRows = params.limit + 1
  const ofAuthor = visiblePostsOf(viewer, params, sql`authors.author`, maxRows)
  const posts = isPostgres(viewer.db)
    ? sql`cross join lateral (${ofAuthor}) p`
    : sql`join posts p on p.id in (${ofAuthor})`
  return sql`select p.id from authors ${posts} order by p.id desc limit ${maxRows}`
}

/** Builds the query for the ids of the newest posts of an author that the viewer may see. */
const visiblePostsOf = (
  viewer: MemberViewerContext,
  params: PaginationParameters,
  author: RawBuilder<unknown>,
  limit: number,
) => sql`select p.id from posts p where p.user_id = ${author} and ${buildPostAudienceAndNotHiddenCondition(viewer, 'p')}
    ${buildCursorSqlStartingWithAnd(params, sql`p.id + 0`)}
    order by p.id + 0 desc limit ${limit}`

export const buildCursorSqlStartingWithAnd = (
  { before, after }: PaginationParameters,
  cursor: RawBuilder<unknown>,
) =>
  sql`${before === undefined ? sql`` : sql`and ${cursor} < ${before}`}
    ${after === undefined ? sql`` : sql`and ${cursor} > ${after}`}`
