import { sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { withContact } from '#core/feature/contacts.ts'
import { fieldError } from '#core/http/errors.ts'
import { lockMembers } from './blocks.ts'
import { limitNewMember } from './new-members.ts'
import * as persons from './read.ts'
import { isFollowing } from './read-follows.ts'
import type { MemberViewer } from './visibility.ts'
import * as visibility from './visibility.ts'

/**
 * 404 for a person who is hidden or does not exist, 403 if the two may not have contact. A refused attempt
 * counts for the limit of new members too, so that they cannot ask for contact without limit.
 */
export async function followMember(context: MemberContext, other: number) {
  const { me, emit } = context
  if (me.id === other)
    throw fieldError('id', {
      en: 'You cannot follow yourself.',
      ja: '自分自身はフォローできません。',
    })
  const count = (tx: Tx) => limitNewMember(context, tx, 'follow')
  const follow = async (tx: Tx) => {
    await lockMembers(tx, [me.id, other])
    if (!(await insertFollow(context, tx, other))) {
      if (!(await isFollowing(tx, me.id, other))) throw persons.notFound()
      return
    }
    await count(tx)
    await context.contacts.requireContact(tx, me.id, other)
    await emit(tx, 'follow.created', { follower_id: me.id, followed_id: other })
  }
  return withContact(context, 'follow', follow, count)
}

/** False if the person is hidden or does not exist, or is followed already. */
async function insertFollow(viewer: MemberViewer, tx: Tx, other: number) {
  const target = visibility
    .members({ ...viewer, db: tx })
    .where('id', '=', other)
    .select((q) => [q.val(viewer.me.id).as('follower_id'), 'id', q.val(isoNow()).as('created_at')] as const)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('follows')
    .columns(['follower_id', 'followed_id', 'created_at'])
    .expression(target)
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  return Boolean(numInsertedOrUpdatedRows)
}

/**
 * For a member who asked before. The caller has locked the two, who may have contact. Does nothing for a
 * hidden person.
 */
export async function addFollow(context: MemberViewer & Pick<AppContext, 'emit'>, tx: Tx, other: number) {
  if (await insertFollow(context, tx, other))
    await context.emit(tx, 'follow.created', { follower_id: context.me.id, followed_id: other })
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

/** Without visibility rules: only broadcasts use it, and leave out followers who may not see the person. */
export const listFollowsOf = async (db: Db, people: readonly number[]) =>
  people.length
    ? db
        .selectFrom('follows')
        .select(['follower_id', 'followed_id'])
        .where('followed_id', 'in', [...new Set(people)])
        .execute()
    : []

/** `is_follower` is 0 for the people whom these members follow, and 1 for their followers. */
export const followsQuery = (members: readonly number[]) =>
  sql<{ member_id: number; user_id: number; is_follower: 0 | 1 }>`
    select follower_id as member_id, followed_id as user_id, 0 as is_follower from follows
      where follower_id in (${sql.join(members)})
    union all select followed_id, follower_id, 1 from follows where followed_id in (${sql.join(members)})`

/** In both directions. */
export async function endFollowsWith(
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
