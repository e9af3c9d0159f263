import './events.ts'
import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import * as audiences from './audiences.ts'

/**
 * Does not check who may see it. Makes no query for a new post, whose event contains all that is needed.
 * Undefined if there is no such post. `readViewers` reads its audience: see `postAudiences.viewers`.
 */
export async function postOfEvent(
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
    isHidden: hidden !== null,
    readViewers: () => audiences.viewers({ db: tx, groups }, post),
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

/** In the order of the ids, higher than `after`, also hidden ones: migrations derive rows from all texts. */
export const listPostTexts = (tx: Tx, { after, limit }: { after: number; limit: number }) =>
  tx.selectFrom('posts').select(['id', 'body']).where('id', '>', after).orderBy('id').limit(limit).execute()
