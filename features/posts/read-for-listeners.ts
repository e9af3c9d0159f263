import './events.ts'
import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import { readPostEventViewers } from './visible-posts.ts'

/**
 * Reads the post of an event for listeners of later features, without visibility rules. Makes no query for a
 * new post, whose event has all that is needed. Returns undefined if there is no such post. `readViewers`
 * returns the people in the audience of the post: see `readPostEventViewers`.
 */
export async function readPostForListenersWithoutCheck(
  { groups }: AppContext,
  tx: Tx,
  event: { id: number } | DomainEvents['post.created'],
) {
  const post = 'body' in event ? { ...event, author: event.user_id, hidden: null } : await findPost(tx, event)
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

const findPost = (tx: Tx, { id }: { id: number }) =>
  tx
    .selectFrom('posts')
    .leftJoin('hidden_posts', 'hidden_posts.post_id', 'posts.id')
    .select(['posts.user_id as author', 'posts.body', 'posts.audience', 'posts.group_id'])
    .select('hidden_posts.post_id as hidden')
    .where('posts.id', '=', id)
    .executeTakeFirst()

/**
 * Reads the ids and texts of the posts after the id `after`, the lowest ids first, without visibility rules.
 * Migrations of later features call this function to derive rows from the texts of all posts.
 */
export const listPostTextsForMigrations = (tx: Tx, { after, limit }: { after: number; limit: number }) =>
  tx.selectFrom('posts').select(['id', 'body']).where('id', '>', after).orderBy('id').limit(limit).execute()
