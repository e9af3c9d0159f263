import { sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import { hasMatchingRow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { lockMemberRowsShared } from '#features/people/blocks.ts'
import { lockAndReadAccount } from '#features/people/credentials.ts'
import { buildAllMemberIdsQuery } from '#features/people/deletion.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import {
  buildNotSuspendedCondition,
  buildVisibleMembersQuery,
  findSuspension,
} from '#features/people/visibility.ts'
import { lockConversation } from './conversation-locks.ts'
import { recordAndBroadcastGroupChange } from './group-changes.ts'
import type { GroupChange } from './group-contract.ts'
import { MAX_OWNED_GROUPS } from './group-manager-contract.ts'
import { lockAndRequireManagedGroup } from './group-managers.ts'
import { listConversationMemberIds } from './read.ts'

// A group that a member owns passes automatically to another member when its owner leaves, is removed,
// deletes the account or is suspended without end. Otherwise only admins could manage the group. A manager
// can also hand the group over.

/**
 * Makes the longest-standing member who may own a group the new owner of the group, if `user` owns it now. If
 * no member may own it, the group has no owner any more, and only admins manage it. The caller holds the
 * lock of the group.
 */
export async function passGroupToSuccessorIfOwner(context: AppContext, tx: Tx, group: number, user: number) {
  if (!(await isOwner(tx, group, user))) return
  const successor = await lockSuccessor(tx, group, user)
  await tx.updateTable('conversations').set({ owner_id: successor }).where('id', '=', group).execute()
  if (successor === null) return
  const event = { conversation_id: group, user_id: successor, actor_id: null, by_owner: false }
  await context.emit(tx, 'group.owner_changed', event)
  await recordAndBroadcastGroupChange({ ...context, me: null }, tx, group, 'owner', { user: successor })
}

/**
 * Passes all groups of a member who is suspended without end to other members. The suspended member keeps the
 * groups that nobody else may own. During a suspension that ends by itself, the member keeps all groups.
 */
export async function passGroupsOfOwnerSuspendedWithoutEnd(context: AppContext, tx: Tx, user: number) {
  const suspension = await findSuspension(tx, user)
  if (!suspension || suspension.ends_at !== null) return
  for (const group of await listOwnedGroupIds(tx, user)) {
    await lockConversation(tx, group)
    if ((await findSuccessor(tx, group, user)) !== undefined)
      await passGroupToSuccessorIfOwner(context, tx, group, user)
  }
}

/**
 * Lists the ids of the groups that a member owns, in ascending order, so that all transactions lock the
 * groups in the same order.
 */
export async function listOwnedGroupIds(tx: Tx, user: number) {
  const rows = await tx
    .selectFrom('conversations')
    .select('id')
    .where('owner_id', '=', user)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

async function isOwner(tx: Tx, group: number, user: number) {
  const row = await tx
    .selectFrom('conversations')
    .select('owner_id')
    .where('id', '=', group)
    .executeTakeFirst()
  return row?.owner_id === user
}

/**
 * Finds the next owner of a group and locks the account of that member, so that it is not suspended or
 * deleted before the commit. Returns the id of the next owner; null if no member may own the group.
 */
async function lockSuccessor(tx: Tx, group: number, user: number) {
  for (;;) {
    const found = await findSuccessor(tx, group, user)
    if (found === undefined) return null
    await lockAndReadAccount(tx, found)
    // Searches again, because another transaction may have suspended or deleted the account before it was
    // locked.
    if ((await findSuccessor(tx, group, user)) === found) return found
  }
}

/**
 * Returns the id of the next owner of a group: of all members who may own the group, except `user`,
 * the one who has been in the group longest. Returns undefined if no member may own the group.
 */
async function findSuccessor(tx: Tx, group: number, user: number) {
  const row = await buildPossibleOwnersQuery(tx, group)
    .where('m.user_id', '!=', user)
    .orderBy('m.created_at')
    .orderBy('m.user_id')
    .limit(1)
    .executeTakeFirst()
  return row?.user_id
}

/**
 * Returns a query for the members (`m`) of a group who may own it: those who are not suspended and own fewer
 * groups than a member may own.
 */
const buildPossibleOwnersQuery = (tx: Tx, group: number) =>
  tx
    .selectFrom('conversation_members as m')
    .select('m.user_id')
    .where('m.conversation_id', '=', group)
    .where('m.user_id', 'in', buildAllMemberIdsQuery(tx))
    .where(buildNotSuspendedCondition('m.user_id'))
    .where(
      sql<number>`(select count(*) from conversations as owned where owned.owner_id = m.user_id)`,
      '<',
      MAX_OWNED_GROUPS,
    )

// ── Handing a group over ─────────────────────────────────────────────────────

/**
 * Makes a member of a group its owner. The current member must manage the group. Also gives an owner to a
 * group without one. Returns null if the member owns the group already. Throws 422 if the person is not a
 * member whom the current member may see (admins see all members), and if the person may not own the group.
 * The second error does not tell whether the person is suspended or owns too many groups.
 */
export const handGroupOver = (
  context: SessionContext,
  group: number,
  user: number,
): Promise<GroupChange | null> =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    const { owner_id } = await lockAndRequireManagedGroup(context, tx, group)
    await lockMemberRowsShared(tx, [me.id, user])
    if (!(await isVisibleMember({ ...context, db: tx }, group, user))) throw createNotMemberError()
    if (owner_id === user) return null
    await lockAndReadAccount(tx, user)
    if (!(await hasMatchingRow(buildPossibleOwnersQuery(tx, group).where('m.user_id', '=', user))))
      throw createMayNotOwnError()
    await tx.updateTable('conversations').set({ owner_id: user }).where('id', '=', group).execute()
    const by_owner = !me.is_admin
    await emit(tx, 'group.owner_changed', {
      conversation_id: group,
      user_id: user,
      actor_id: me.id,
      by_owner,
    })
    return recordAndBroadcastGroupChange(context, tx, group, 'owner', { user })
  })

/** Returns whether the person is a member of the group whom the viewer may see. Admins see all members. */
async function isVisibleMember(viewer: MemberContext, group: number, user: number) {
  const members = await listConversationMemberIds(viewer.db, group)
  const visible = buildVisibleMembersQuery(viewer).select('id').where('id', '=', user)
  return members.includes(user) && (viewer.me.is_admin || (await hasMatchingRow(visible)))
}

const createNotMemberError = () =>
  createInvalidFieldError('user_id', {
    en: 'Only a member of the group can take it over.',
    ja: 'グループを引き継げるのは、グループのメンバーだけです。',
  })

const createMayNotOwnError = () =>
  createInvalidFieldError('user_id', {
    en: 'This member cannot take over a group at the moment.',
    ja: 'このメンバーは現在グループを引き継げません。',
  })
