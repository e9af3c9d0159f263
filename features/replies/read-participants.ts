import { sql } from 'kysely'
import type { ViewerContext } from '#features/people/visibility.ts'
import { createNoSuchPostError, findAuthorIdOfVisiblePost } from '#features/posts/read.ts'

/** The number of newest replies to a post among which the query searches for authors. */
const SEARCHED_REPLIES = 200
/** The maximum number of authors of replies whose ids are returned. */
const MAX_AUTHORS = 20

/**
 * Returns the ids of the author of a post and of the people who wrote the newest replies to it: first the
 * author of the post, then the authors of the replies, latest first. Throws 404 if the viewer may not see the
 * post. The caller must check which of these people the viewer may see.
 */
export async function listParticipantIdsOfPost(viewer: ViewerContext, post: number) {
  const author = await findAuthorIdOfVisiblePost(viewer, post)
  if (author === undefined) throw createNoSuchPostError()
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
