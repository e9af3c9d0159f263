import { isPostgres, type Tx } from '#core/database/database.ts'
import * as read from './read.ts'

/**
 * Until the commit, no other transaction changes the post, deletes it or removes its pictures. Waits for
 * those that do. SQLite needs no lock, because it runs one transaction at a time.
 */
export async function lockPost(tx: Tx, id: number) {
  if (isPostgres(tx)) await tx.selectFrom('posts').select('id').where('id', '=', id).forShare().execute()
}

/** Waits for a transaction that is changing, hiding or deleting the post. 404 if there is no such post. */
export async function lockPostToChange(tx: Tx, id: number) {
  const post = await tx
    .selectFrom('posts')
    .select(['user_id as author', 'audience', 'group_id'])
    .where('id', '=', id)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  if (!post) throw read.notFound()
  return post
}
