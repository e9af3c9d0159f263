import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { readPostEventViewers } from './visible-posts.ts'

/**
 * Reads a post for listeners of later features, without visibility rules. Returns undefined if there is no
 * such post. `readViewers` returns the people in the audience of the post: see `readPostEventViewers`.
 */
export async function readPostForListeners({ groups }: AppContext, tx: Tx, id: number) {
  const post = await tx
    .selectFrom('posts')
    .leftJoin('hidden_posts', 'hidden_posts.post_id', 'posts.id')
    .select(['posts.user_id as author', 'posts.body', 'posts.audience', 'posts.group_id'])
    .select('hidden_posts.post_id as hidden')
    .where('posts.id', '=', id)
    .executeTakeFirst()
  if (!post) return undefined
  const { author, body, hidden } = post
  return {
    author,
    body,
    /** Whether a moderator has hidden the post. */
    isHidden: hidden !== null,
    readViewers: () => readPostEventViewers({ db: tx, groups }, post),
  }
}

/**
 * Reads the ids and texts of the posts after the id `after`, the lowest ids first, without visibility rules.
 * Migrations of later features call this function to derive rows from the texts of all posts.
 */
export const listPostTextsForMigrations = (tx: Tx, { after, limit }: { after: number; limit: number }) =>
  tx.selectFrom('posts').select(['id', 'body']).where('id', '>', after).orderBy('id').limit(limit).execute()
