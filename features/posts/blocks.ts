import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import { broadcastPostLikesCounts, deletePostLikesOfMemberAndUpdateCounts } from './member-deletion.ts'

/**
 * Deletes the likes that the two people of a block gave to posts of each other, in the transaction of the
 * block, and lowers the numbers of likes. Otherwise the number of likes would include a person whom the
 * author of the post cannot see in the list of likes.
 */
export async function deleteMutualPostLikes(
  context: AppContext,
  tx: Tx,
  { blocker_id, blocked_id }: DomainEvents['member.blocked'],
) {
  for (const [author, user] of [
    [blocker_id, blocked_id],
    [blocked_id, blocker_id],
  ] as const) {
    const unliked = await deletePostLikesOfMemberAndUpdateCounts(tx, user, author)
    for (const { id } of unliked) await context.emit(tx, 'post.unliked', { id, user_id: user })
    tx.afterCommit(() => broadcastPostLikesCounts(context, unliked))
  }
}
