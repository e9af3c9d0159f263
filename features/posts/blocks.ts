import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import { broadcastLikes, deleteLikes } from './member-deletion.ts'

/** Otherwise the number of likes would include a person whom the author cannot see in the list of likes. */
export async function deleteMutualLikes(
  context: AppContext,
  tx: Tx,
  { blocker_id, blocked_id }: DomainEvents['member.blocked'],
) {
  for (const [author, user] of [
    [blocker_id, blocked_id],
    [blocked_id, blocker_id],
  ] as const) {
    const unliked = await deleteLikes(tx, user, author)
    for (const { id } of unliked) await context.emit(tx, 'post.unliked', { id, user_id: user })
    tx.afterCommit(() => broadcastLikes(context, unliked))
  }
}
