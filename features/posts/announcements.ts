import './events.ts'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'

/**
 * Records in the transaction that an admin tells all members of a post, and emits `post.announced` for later
 * features. Returns true. If all members were told of the post before, even before it was unpinned,
 * does nothing and returns false.
 */
export async function announcePostToAllMembers(
  { me, emit }: MemberContext,
  tx: Tx,
  id: number,
  author: number,
) {
  const created_at = currentIsoTime()
  const added = await tx
    .insertInto('post_announcements')
    .values({ post_id: id, created_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('post_id')
    .executeTakeFirst()
  if (!added) return false
  await emit(tx, 'post.announced', { id, user_id: author, actor_id: me.id, created_at })
  return true
}
