import './events.ts'
import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import { readPostEventViewers } from './visible-posts.ts'

/**
 * Returns the post of an event for listeners of later features, without a check of who may see it. Makes no
 * query for a new post, whose event contains all that is needed. Returns undefined if there is no such post.
 * `readViewers` returns the people in the audience of the post: see `readPostEventViewers`.
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
 * Returns the ids and texts of at most `limit` posts whose ids are higher than `after`, in the order of the
 * ids, without a check of who may see them. Migrations of later features call this function repeatedly to
 * derive rows from the texts of all posts.
 */
export const listBatchOfPostTextsForMigrations = (
  tx: Tx,
  { after, limit }: { after: number; limit: number },
) =>
  tx.selectFrom('posts').select(['id', 'body']).where('id', '>', after).orderBy('id').limit(limit).execute()
