import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import { broadcastLikesCounts, type UnlikedPost } from './member-deletion.ts'

/**
 * Deletes the likes that two people gave to posts of each other, in the transaction of the block. Otherwise
 * the count of a post would include a person whom its author cannot find in the list.
 */
export async function deleteMutualLikes(
  context: AppContext,
  tx: Tx,
  { blocker_id, blocked_id }: DomainEvents['member.blocked'],
) {
  for (const [author, user] of [
    [blocker_id, blocked_id],
    [blocked_id, blocker_id],
  ] as const) {
    const unliked = await deleteLikesOfAuthor(tx, author, user)
    for (const { id } of unliked) await context.emit(tx, 'post.unliked', { id, user_id: user })
    tx.afterCommit(() => broadcastLikesCounts(context, unliked))
  }
}

/** Returns the posts of the author that the user liked, with the new counts. */
async function deleteLikesOfAuthor(tx: Tx, author: number, user: number) {
  const { rows } = await sql<UnlikedPost>`update posts
    set likes_count = likes_count - 1, revision = revision + 1
    where user_id = ${author} and id in (select post_id from likes where user_id = ${user})
    returning id, likes_count, user_id as author`.execute(tx)
  await sql`delete from likes where user_id = ${user}
    and post_id in (select id from posts where user_id = ${author})`.execute(tx)
  return rows
}
