import { isPostgres, type Tx } from '#core/database/database.ts'
import { createNoSuchPostError } from './read.ts'

/**
 * Locks a post until the commit, so that no other transaction changes it, deletes it or removes its pictures.
 * Waits until a transaction that is doing one of these has ended. SQLite needs no lock, because it runs one
 * transaction at a time.
 */
export async function lockPostAgainstChanges(tx: Tx, id: number) {
  if (isPostgres(tx)) await tx.selectFrom('posts').select('id').where('id', '=', id).forShare().execute()
}

/**
 * Locks a post until the commit, so that this transaction can change it, and returns its author and audience.
 * Waits until a transaction that is changing, hiding or deleting the post has ended. Throws 404 if there is
 * no such post.
 */
export async function lockPostForChangeAndReadAuthorAndAudience(tx: Tx, id: number) {
  const post = await tx
    .selectFrom('posts')
    .select(['user_id as author', 'audience', 'group_id'])
    .where('id', '=', id)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  if (!post) throw createNoSuchPostError()
  return post
}
