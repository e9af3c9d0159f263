import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { lockMemberRowsShared } from '#features/people/blocks.ts'
import { buildVisibleMembersQuery } from '#features/people/visibility.ts'
import { postChannelDefinitions } from './contract.ts'
import { lockPostAgainstChanges } from './post-locks.ts'
import { createNoSuchPostError, isVisiblePost } from './read.ts'
import { buildPostAudienceAndNotHiddenCondition } from './visible-posts.ts'

/**
 * Adds a post to the bookmarks of the member, and broadcasts this to all open windows of the member.
 * Does nothing if the member has bookmarked the post already. Throws 404 if there is no such post, or if the
 * member may not see it.
 */
export const addBookmark = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    const viewer = { ...context, db: tx }
    await lockMemberRowsShared(tx, [me.id])
    await lockPostAgainstChanges(tx, id)
    const { numAffectedRows } = await sql`insert into bookmarks (post_id, user_id, created_at)
      select p.id, ${me.id}, ${currentIsoTime()} from posts p
        join ${buildVisibleMembersQuery(viewer).select('id')} u on u.id = p.user_id
      where p.id = ${id} and ${buildPostAudienceAndNotHiddenCondition(viewer, 'p')}
      on conflict do nothing`.execute(tx)
    if (Number(numAffectedRows)) broadcastToOwnWindows(context, tx, id, true)
    else if (!(await isVisiblePost(viewer, id))) throw createNoSuchPostError()
  })

/** Removes the member's bookmark of a post, even if the member may no longer see the post. */
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
      [postChannelDefinitions.posts.name],
      'PostBookmarked',
      { id, bookmarked },
      { aboutUsers: [], onlyFor: [me.id] },
    ),
  )

/** Deletes all bookmarks of a member, in the transaction that deletes the account. */
export const deleteBookmarksOfMember = (tx: Tx, user: number) =>
  tx.deleteFrom('bookmarks').where('user_id', '=', user).execute()
