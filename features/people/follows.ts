import type { MemberContext } from '#core/context.ts'
import { currentIsoTime } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { invalidFieldError } from '#core/http/errors.ts'
import { lockAgainstBlocks } from './blocks.ts'
import { isFollowing, noSuchUserError } from './read.ts'
import { visiblePeopleQuery } from './visibility.ts'

/**
 * Follows a person. The row of that person is selected through `visiblePeopleQuery`, so that nobody can
 * follow a person who does not exist or is hidden.
 */
export async function followPerson(context: MemberContext, other: number) {
  const { db, me, emit } = context
  if (me.id === other)
    throw invalidFieldError('id', { en: 'You cannot follow yourself.', ja: '自分自身はフォローできません。' })
  return transaction(db, async (tx) => {
    await lockAgainstBlocks(tx, [me.id, other])
    const target = visiblePeopleQuery({ ...context, db: tx })
      .where('id', '=', other)
      .select(
        (q) => [q.val(me.id).as('follower_id'), 'id', q.val(currentIsoTime()).as('created_at')] as const,
      )
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('follows')
      .columns(['follower_id', 'followed_id', 'created_at'])
      .expression(target)
      .onConflict((c) => c.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows)
      return emit(tx, 'follow.created', { follower_id: me.id, followed_id: other })
    if (!(await isFollowing(tx, me.id, other))) throw noSuchUserError()
  })
}

export const unfollowPerson = ({ db, me, emit }: MemberContext, other: number) =>
  transaction(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('follows')
      .where('follower_id', '=', me.id)
      .where('followed_id', '=', other)
      .executeTakeFirstOrThrow()
    if (numDeletedRows) await emit(tx, 'follow.deleted', { follower_id: me.id, followed_id: other })
  })
