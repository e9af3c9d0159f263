import './events.ts'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'

/**
 * Announces to later features, in the transaction, that an admin tells all members of a post. Does nothing and
 * returns false if this has happened before, also if the post was unpinned since then.
 */
export async function announcePost({ me, emit }: MemberContext, tx: Tx, id: number, author: number) {
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
