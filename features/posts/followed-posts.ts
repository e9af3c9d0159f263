import { type RawBuilder, sql } from 'kysely'
import { isPostgres } from '#core/database/database.ts'
import type { PageParams } from '#core/schemas.ts'
import { visibleFollowed } from '#features/people/read-follows.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import * as audiences from './audiences.ts'

type Ids = { id: number }

/** The newest posts of all people, searched first. This is enough for who follows people who post often. */
const MAX_SEARCHED = 300

/**
 * The ids of one page, newest first, and one more if there is a next page. Searches the newest posts of all
 * people first. If the page is not full then (the followed people post rarely, or the page is far down),
 * another query searches the posts of each followed person.
 */
export async function followedPostIds(viewer: MemberViewer, params: PageParams) {
  const recent = await sql<Ids>`${recentPostsQuery(viewer, params)}`.execute(viewer.db)
  const { rows } =
    recent.rows.length > params.limit
      ? recent
      : await sql<Ids>`${newestAuthorsQuery(viewer, params)}`.execute(viewer.db)
  return rows.map(({ id }) => id)
}

/** The people (`followed_id`) whom the viewer follows and whose posts reach the viewer. */
const followedIdsQuery = (viewer: MemberViewer) =>
  visibleFollowed(viewer).where(visibility.reaches(viewer, 'follows.followed_id'))

function recentPostsQuery(viewer: MemberViewer, params: PageParams) {
  const recent = sql`select p.id, p.user_id from posts p
    where ${audiences.shown(viewer, 'p')} ${andCursor(params, sql`p.id`)} order by p.id desc limit ${MAX_SEARCHED}`
  const isFollowed = followedIdsQuery(viewer).where('follows.followed_id', '=', sql<number>`p.user_id`)
  return sql`select p.id from (${recent}) p where exists ${isFollowed}
    order by p.id desc limit ${params.limit + 1}`
}

/**
 * Takes only the people with the newest posts, because a page has at most as many authors as posts. People
 * without posts come last: a condition that excludes them would make PostgreSQL search each person's newest
 * post twice.
 */
function newestAuthorsQuery(viewer: MemberViewer, params: PageParams) {
  const newest = visiblePostsOf(viewer, params, sql`f.followed_id`, 1)
  const authors = sql`select author from (
      select f.followed_id as author, (${newest}) as newest from ${followedIdsQuery(viewer)} f
    ) newest_of_each order by newest desc nulls last limit ${params.limit + 1}`
  return sql`with authors as (${authors}) ${postsOfAuthorsQuery(viewer, params)}`
}

function postsOfAuthorsQuery(viewer: MemberViewer, params: PageParams) {
  const maxRows = params.limit + 1
  const ofAuthor = visiblePostsOf(viewer, params, sql`authors.author`, maxRows)
  const posts = isPostgres(viewer.db)
    ? sql`cross join lateral (${ofAuthor}) p`
    : sql`join posts p on p.id in (${ofAuthor})`
  return sql`select p.id from authors ${posts} order by p.id desc limit ${maxRows}`
}

const visiblePostsOf = (
  viewer: MemberViewer,
  params: PageParams,
  author: RawBuilder<unknown>,
  limit: number,
) => sql`select p.id from posts p where p.user_id = ${author} and ${audiences.shown(viewer, 'p')}
    ${andCursor(params, sql`p.id + 0`)}
    order by p.id + 0 desc limit ${limit}`

export const andCursor = ({ before, after }: PageParams, cursor: RawBuilder<unknown>) =>
  sql`${before === undefined ? sql`` : sql`and ${cursor} < ${before}`}
    ${after === undefined ? sql`` : sql`and ${cursor} > ${after}`}`
