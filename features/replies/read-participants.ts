import { sql } from 'kysely'
import type { ViewerContext } from '#features/people/visibility.ts'
import * as posts from '#features/posts/read.ts'

/** Newest replies among which the query searches for authors. */
const SEARCHED_REPLIES = 200
const MAX_AUTHORS = 20

/**
 * First the author of the post, then the authors of the newest replies, latest first. 404 if the viewer may
 * not see the post. The caller must check which of these people the viewer may see.
 */
export async function listParticipants(viewer: ViewerContext, post: number) {
  const author = await posts.findAuthor(viewer, post)
  if (author === undefined) throw posts.notFound()
  const newest = viewer.db
    .selectFrom('replies')
    .select(['id', 'user_id'])
    .where('post_id', '=', post)
    .orderBy(sql`id + 0`, 'desc')
    .limit(SEARCHED_REPLIES)
  const rows = await viewer.db
    .selectFrom(newest.as('newest'))
    .select('user_id')
    .groupBy('user_id')
    .orderBy(({ fn }) => fn.max('id'), 'desc')
    .limit(MAX_AUTHORS)
    .execute()
  return [...new Set([author, ...rows.map(({ user_id }) => user_id)])]
}
