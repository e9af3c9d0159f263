import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { lockMembers } from '#features/people/blocks.ts'
import * as visibility from '#features/people/visibility.ts'
import * as audiences from './audiences.ts'
import { postChannels } from './contract.ts'
import { lockPost } from './post-locks.ts'
import * as read from './read.ts'

/** Does nothing if the member has bookmarked the post already. 404 if the member may not see the post. */
export const addBookmark = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    const viewer = { ...context, db: tx }
    await lockMembers(tx, [me.id])
    await lockPost(tx, id)
    const { numAffectedRows } = await sql`insert into bookmarks (post_id, user_id, created_at)
      select p.id, ${me.id}, ${isoNow()} from posts p
        join ${visibility.members(viewer).select('id')} u on u.id = p.user_id
      where p.id = ${id} and ${audiences.shown(viewer, 'p')}
      on conflict do nothing`.execute(tx)
    if (Number(numAffectedRows)) broadcastToOwnWindows(context, tx, id, true)
    else if (!(await read.isVisible(viewer, id))) throw read.notFound()
  })

/** Works even if the member may no longer see the post. */
export const removeBookmark = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('bookmarks')
      .where('user_id', '=', context.me.id)
      .where('post_id', '=', id)
      .executeTakeFirstOrThrow()
    if (Number(numDeletedRows)) broadcastToOwnWindows(context, tx, id, false)
  })

const broadcastToOwnWindows = ({ realtime, me }: MemberContext, tx: Tx, id: number, bookmarked: boolean) =>
  tx.afterCommit(() =>
    realtime.broadcast(
      [postChannels.posts.name],
      'PostBookmarked',
      { id, bookmarked },
      { aboutUsers: [], onlyFor: [me.id] },
    ),
  )

export const deleteBookmarks = (tx: Tx, user: number) =>
  tx.deleteFrom('bookmarks').where('user_id', '=', user).execute()
