import { type RawBuilder, sql } from 'kysely'
import type { PageParams } from '#core/contract.ts'
import { isPostgres } from '#core/database/database.ts'
import { followedPeople } from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'

type Ids = { id: number }

/**
 * How many of the newest posts are searched first. They are enough for everybody who follows people that
 * post.
 */
const RECENT = 300

/**
 * Ids of one page, and one more, of the posts of people that the viewer follows; newest first.
 * Looks among the newest posts first. Where these are not enough (the followed seldom post, or the page is
 * far down), the second query costs something for each followed person, and nothing for posts of others.
 */
export async function followedPosts(viewer: MemberViewer, params: PageParams) {
  const recent = await sql<Ids>`${amongRecent(viewer, params)}`.execute(viewer.db)
  if (recent.rows.length > params.limit) return recent.rows.map(({ id }) => id)
  const all = await sql<Ids>`${byNewestAuthors(viewer, params)}`.execute(viewer.db)
  return all.rows.map(({ id }) => id)
}

function amongRecent(viewer: MemberViewer, params: PageParams) {
  const recent = sql`select p.id, p.user_id from posts p
    where true ${cursorFilter(params, sql`p.id`)} order by p.id desc limit ${RECENT}`
  const isFollowed = followedPeople(viewer).where('follows.followed_id', '=', sql<number>`p.user_id`)
  return sql`select p.id from (${recent}) p where exists ${isFollowed}
    order by p.id desc limit ${params.limit + 1}`
}

/**
 * A page has at most as many authors as posts, so only the authors whose newest posts are newest can be on
 * it.
 */
function byNewestAuthors(viewer: MemberViewer, params: PageParams) {
  const most = params.limit + 1
  const postsOf = (author: RawBuilder<unknown>, limit: number) =>
    sql`select p.id from posts p where p.user_id = ${author} ${cursorFilter(params, sql`p.id + 0`)}
      order by p.id + 0 desc limit ${limit}`
  const authors = sql`select author from (
      select f.followed_id as author, (${postsOf(sql`f.followed_id`, 1)}) as newest from ${followedPeople(viewer)} f
    ) heads where newest is not null order by newest desc limit ${most}`
  const posts = isPostgres(viewer.db)
    ? sql`cross join lateral (${postsOf(sql`authors.author`, most)}) p`
    : sql`join posts p on p.id in (${postsOf(sql`authors.author`, most)})`
  return sql`with authors as (${authors}) select p.id from authors ${posts} order by p.id desc limit ${most}`
}

export const cursorFilter = ({ before, after }: PageParams, cursor: RawBuilder<unknown>) =>
  sql`${before === undefined ? sql`` : sql`and ${cursor} < ${before}`}
    ${after === undefined ? sql`` : sql`and ${cursor} > ${after}`}`
