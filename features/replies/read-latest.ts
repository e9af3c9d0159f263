import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { buildVisiblePersonRowsQuery, toPersonFromRow } from '#features/people/read.ts'
import { buildReachingMembersQuery, type ViewerContext } from '#features/people/visibility.ts'
import {
  buildVisiblePostCondition,
  listPostVisibilityCacheDependencies,
} from '#features/posts/visible-posts.ts'
import { createReplyExcerpt } from './excerpt.ts'
import {
  LATEST_REPLIES_PER_POST,
  type LatestRepliesByPostIdResponse,
  type LatestReply,
} from './latest-contract.ts'
import { readVisiblePeopleAsMapById } from './read.ts'

/**
 * The maximum number of responses with latest replies that are cached: one for each viewer and list of posts.
 */
const MAX_CACHED_ANSWERS = 500

/** Creates a version of the function `listLatestReplies` that caches its results. */
export function createCachedLatestRepliesReader(context: Pick<AppContext, 'groups' | 'queryCaches'>) {
  const answers = context.queryCaches<LatestRepliesByPostIdResponse>(
    [...listPostVisibilityCacheDependencies(context), 'replies', 'reply_images'],
    MAX_CACHED_ANSWERS,
  )
  return (viewer: ViewerContext, posts: readonly number[]) =>
    answers(`${viewer.me?.id} ${posts.join()}`, () => listLatestReplies(viewer, posts))
}

/**
 * Returns the newest replies to each of these posts, by the id of the post, newest first. Leaves out posts
 * that the viewer may not see, and replies of people whom the viewer may not see or has muted. Needs one
 * query, and another one if a reply mentions somebody.
 */
async function listLatestReplies(
  viewer: ViewerContext,
  posts: readonly number[],
): Promise<LatestRepliesByPostIdResponse> {
  const rows = posts.length ? await buildLatestRepliesQuery(viewer, [...new Set(posts)]).execute() : []
  const mentioned = await readVisiblePeopleAsMapById(
    viewer,
    rows.flatMap(({ mentioned_id }) => mentioned_id ?? []),
  )
  const found: Record<string, LatestReply[]> = {}
  for (const { post_id, author_id, name, image, shared_handle, mentioned_id, body, ...row } of rows) {
    const mentions = mentioned_id === null ? undefined : mentioned.get(mentioned_id)
    found[post_id] ??= []
    found[post_id].push({
      id: row.id,
      created_at: row.created_at,
      user: toPersonFromRow(viewer.media, { id: author_id, name, image, shared_handle }),
      excerpt: body && createReplyExcerpt(body),
      images_count: Number(row.images_count),
      ...(mentions && { mentions }),
    })
  }
  return { posts: found }
}

const imagesCount = sql<number>`(select count(*) from reply_images where reply_images.reply_id = r.id)`

const buildLatestRepliesQuery = (viewer: ViewerContext, posts: readonly number[]) =>
  viewer.db
    .selectFrom('replies as r')
    .innerJoin(buildVisiblePersonRowsQuery(viewer).as('u'), 'u.id', 'r.user_id')
    .select(['r.id', 'r.post_id', 'r.body', 'r.created_at', 'r.mentioned_id'])
    .select(['u.id as author_id', 'u.name', 'u.image', 'u.shared_handle'])
    .select(imagesCount.as('images_count'))
    .where('r.id', 'in', buildLatestReplyIdsQuery(viewer, posts))
    .where(buildVisiblePostCondition(viewer, 'r.post_id'))
    .orderBy('r.id', 'desc')

/**
 * Builds the query for the ids of the newest replies to each of these posts, without replies of people whom
 * the viewer may not see or has muted. It looks up each id separately in the index of the replies of a post,
 * because SQLite has no join with a limit for each post. The ids of the posts are a list of values with one
 * column `column1`.
 */
function buildLatestReplyIdsQuery(viewer: ViewerContext, posts: readonly number[]) {
  const values = sql.join(posts.map((id) => sql`(cast(${id} as bigint))`))
  const people = buildReachingMembersQuery(viewer).select('users.id')
  const idQueries = Array.from(
    { length: LATEST_REPLIES_PER_POST },
    (_, offset) => sql`select (
      select x.id from replies x join ${people} author on author.id = x.user_id
      where x.post_id = p.column1 order by x.id + 0 desc limit 1 offset ${sql.lit(offset)}
    ) as id from (values ${values}) p`,
  )
  return sql`(${sql.join(idQueries, sql` union all `)})` as RawBuilder<number>
}
