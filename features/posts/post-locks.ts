import { isPostgres, type Tx } from '#core/database/database.ts'
import { createNoSuchPostError } from './read.ts'

/**
 * Locks a post until the commit, so that no other transaction changes it, deletes it or removes its
 * pictures. Waits for a transaction that is doing so. SQLite needs no lock, because it runs one transaction
 * at a time.
 */
export async function lockPostAgainstChanges(tx: Tx, id: number) {
  if (isPostgres(tx)) await tx.selectFrom('posts').select('id').where('id', '=', id).forShare().execute()
}

/**
 * Locks a post until the commit for a change by this transaction, and returns its author and audience. Waits
 * for a transaction that is changing, hiding or deleting it. Throws 404 if there is no such post.
 */
export async function lockPostForChange(tx: Tx, id: number) {
  const post = await tx
    .selectFrom('posts')
    .select(['user_id as author', 'audience', 'group_id'])
    .where('id', '=', id)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  if (!post) throw createNoSuchPostError()
  return post
}
