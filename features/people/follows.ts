import { sql } from 'kysely'
import { runTransactionOrRequestContact } from '#core/contacts.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { lockMemberRowsShared } from './blocks.ts'
import { countAndLimitNewMemberAction } from './new-members.ts'
import { createNoSuchUserError } from './read.ts'
import { isFollowing } from './read-follows.ts'
import { buildVisibleMembersQuery } from './visibility.ts'

/**
 * Follows a person. The row of that person is selected through `buildVisibleMembersQuery`, so that nobody can
 * follow a person who does not exist or is hidden. Throws 403 if the two may not have contact. A refused
 * attempt counts for the limit of new members too, so that new members cannot ask for contact without limit.
 */
export async function followMember(context: MemberContext, other: number) {
  const { me, emit } = context
  if (me.id === other)
    throw createInvalidFieldError('id', {
      en: 'You cannot follow yourself.',
      ja: '自分自身はフォローできません。',
    })
  const count = (tx: Tx) => countAndLimitNewMemberAction(context, tx, 'follow')
  const follow = async (tx: Tx) => {
    await lockMemberRowsShared(tx, [me.id, other])
    const target = buildVisibleMembersQuery({ ...context, db: tx })
      .where('id', '=', other)
      .select(
        (q) => [q.val(me.id).as('follower_id'), 'id', q.val(currentIsoTime()).as('created_at')] as const,
      )
    const inserting = tx
      .insertInto('follows')
      .columns(['follower_id', 'followed_id', 'created_at'])
      .expression(target)
      .onConflict((c) => c.doNothing())
      .executeTakeFirstOrThrow()
    const [inserted, contact] = await Promise.allSettled([
      inserting,
      context.contacts.requireContact(tx, me.id, other),
    ])
    if (inserted.status === 'rejected') throw inserted.reason
    if (inserted.value.numInsertedOrUpdatedRows) {
      await count(tx)
      if (contact.status === 'rejected') throw contact.reason
      return emit(tx, 'follow.created', { follower_id: me.id, followed_id: other })
    }
    if (!(await isFollowing(tx, me.id, other))) throw createNoSuchUserError()
  }
  return runTransactionOrRequestContact(context, 'follow', follow, count)
}

export const unfollowMember = ({ db, me, emit }: MemberContext, other: number) =>
  transaction(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('follows')
      .where('follower_id', '=', me.id)
      .where('followed_id', '=', other)
      .executeTakeFirstOrThrow()
    if (numDeletedRows) await emit(tx, 'follow.deleted', { follower_id: me.id, followed_id: other })
  })

/**
 * Returns the follows whose followed person is one of `people`, without visibility rules. Only broadcasts use
 * this function. They leave out the followers who may not see the person.
 */
export const listUnfilteredFollowsByFollowedIds = async (db: Db, people: readonly number[]) =>
  people.length
    ? db
        .selectFrom('follows')
        .select(['follower_id', 'followed_id'])
        .where('followed_id', 'in', [...new Set(people)])
        .execute()
    : []

/**
 * Builds the query for the people (`user_id`) whom these members follow, with `is_follower` 0, and for the
 * followers of these members, with `is_follower` 1.
 */
export const buildFollowersAndFollowedQuery = (members: readonly number[]) =>
  sql<{ member_id: number; user_id: number; is_follower: 0 | 1 }>`
    select follower_id as member_id, followed_id as user_id, 0 as is_follower from follows
      where follower_id in (${sql.join(members)})
    union all select followed_id, follower_id, 1 from follows where followed_id in (${sql.join(members)})`

/** Ends the follows between a member and others, in both directions. */
export async function endFollowsBetweenMemberAndOthers(
  { emit }: Pick<AppContext, 'emit'>,
  tx: Tx,
  member: number,
  others: readonly number[],
) {
  if (!others.length) return
  const ended = await tx
    .deleteFrom('follows')
    .where((q) =>
      q.or([
        q.and([q('follower_id', '=', member), q('followed_id', 'in', others)]),
        q.and([q('followed_id', '=', member), q('follower_id', 'in', others)]),
      ]),
    )
    .returning(['follower_id', 'followed_id'])
    .execute()
  for (const follow of ended) await emit(tx, 'follow.deleted', follow)
}
