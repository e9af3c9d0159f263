import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, hasMatchingRow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { markMediaUnreferenced } from '#core/media/lifecycle.ts'
import { lockMemberRowsShared } from '#features/people/blocks.ts'
import { buildAllMemberIdsQuery } from '#features/people/deletion.ts'
import { countAndLimitNewMemberAction } from '#features/people/new-members.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import { buildVisibleMembersQuery } from '#features/people/visibility.ts'
import { endGroupChannelSubscriptions } from './broadcasts.ts'
import { lockConversation } from './conversation-locks.ts'
import { recordAndBroadcastGroupChange } from './group-changes.ts'
import type { GroupChange } from './group-contract.ts'
import {
  createNoSuchGroupError,
  enforceGroupCreationLimits,
  lockAndRequireManagedGroup,
  requireMayCreateGroups,
} from './group-managers.ts'
import { changeManagedGroup } from './group-of-two.ts'
import { passGroupToSuccessorIfOwner } from './group-owners.ts'
import { listConversationMemberIds, requireGroupMembership } from './read.ts'
import { countAllGroupMembers, countVisibleGroupMembers } from './read-groups.ts'

// The functions of this file change groups and broadcast each change after its commit. A caller that changes
// an existing group holds the lock of the group until the broadcast, so that the broadcasts have the order of
// the commits.

/**
 * Creates a group with its creator as the first member. A creator without admin rights owns the group.
 * Throws 403 if the creator may not create groups or owns as many as a member may own, and 429 beyond the
 * limits for new members.
 */
export const createGroup = (context: MemberContext, name: string, created_at = currentIsoTime()) =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    requireMayCreateGroups(context)
    if (!me.is_admin) await enforceGroupCreationLimits(context, tx)
    const owner_id = me.is_admin ? null : me.id
    const { id } = await tx
      .insertInto('conversations')
      .values({ name, created_by: me.id, owner_id, created_at })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('conversation_members')
      .values({ conversation_id: id, user_id: me.id, added_by: me.id, created_at })
      .execute()
    await emit(tx, 'group.created', { conversation_id: id, actor_id: me.id })
    return { id, name, change: await recordAndBroadcastGroupChange(context, tx, id, 'created', { name }) }
  })

/**
 * Adds a person to a group (see `addGroupMemberWithoutRightsCheck`) for a current member who is an admin or
 * the owner of the group. Owners add only people whom they can see: somebody who has blocked the owner looks
 * to the owner like an account that does not exist. An owner also cannot add a person if a guardian, of the
 * person or of a member, has to allow the contact of the two first. Such a refusal counts for the limits of
 * new members too, because it shows that one of them has a guardian.
 */
export async function addGroupMemberWithRightsCheck(
  context: SessionContext,
  group: number,
  user: number,
): Promise<GroupChange | null> {
  const count = (tx: Tx) => countAndLimitNewMemberAction(context, tx, 'group_member')
  let isContactRefused = false
  const add = async (tx: Tx) => {
    const inTransaction = { ...context, db: tx }
    const { me } = context
    await lockAndRequireManagedGroup(context, tx, group)
    if (me.is_admin) return addGroupMemberWithoutRightsCheck(inTransaction, group, user)
    await lockMemberRowsShared(tx, [me.id, user])
    if (!(await hasMatchingRow(buildVisibleMembersQuery(inTransaction).select('id').where('id', '=', user))))
      throw createNoSuchUserError()
    const members = await listConversationMemberIds(tx, group)
    const added = await addGroupMemberWithoutRightsCheck(inTransaction, group, user)
    if (!added) return null
    await count(tx)
    const others = members.filter((id) => id !== user)
    isContactRefused = !(await context.contacts.areContactsAllowedOutsideGroup(tx, group, user, others))
    if (isContactRefused) throw createContactsInGroupError()
    return added
  }
  try {
    return await transaction(context.db, add)
  } catch (error) {
    // Counts and reports the refused attempt again, because the rollback of the transaction has undone the
    // first count.
    if (isContactRefused)
      await transaction(context.db, async (tx) => {
        await count(tx)
        const delivery = context.contacts.delivery({ from: context.me.id, to: user, kind: 'group' })
        await delivery?.attempt.execute(tx)
      })
    throw error
  }
}

/**
 * Adds a person to a group without checking whether the current member may add people. Returns null if the
 * person is a member already. Throws 422 if the group is full or the person does not exist. For the new
 * member, earlier messages count as read; the group counts as one unread message until the new member opens
 * it.
 */
export const addGroupMemberWithoutRightsCheck = (
  context: MemberContext,
  group: number,
  user: number,
): Promise<GroupChange | null> =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    await lockGroupRow(tx, group)
    // Accepts people whom the current member may not see, because admins may also add people who have blocked
    // them.
    if (!(await hasMatchingRow(buildAllMemberIdsQuery(tx).where('id', '=', user))))
      throw createNoSuchUserError()
    const { last_read_id } = await tx
      .selectFrom('messages')
      .select(sql<number>`coalesce(max(id), 0)`.as('last_read_id'))
      .where('conversation_id', '=', group)
      .executeTakeFirstOrThrow()
    const created_at = currentIsoTime()
    const unopened_since = user === me.id ? null : created_at
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('conversation_members')
      .values({
        conversation_id: group,
        user_id: user,
        added_by: me.id,
        last_read_id,
        furthest_read_id: last_read_id,
        unopened_since,
        created_at,
      })
      .onConflict((c) => c.doNothing())
      .executeTakeFirstOrThrow()
    if (!numInsertedOrUpdatedRows) return null
    await requireAllowedGroupSize(context, tx, group)
    await emit(tx, 'group.member_added', { conversation_id: group, user_id: user, actor_id: me.id })
    return recordAndBroadcastGroupChange(context, tx, group, 'added', { user })
  })

/**
 * Throws 422 if the group has more members than the settings allow. The caller must have locked the group.
 */
async function requireAllowedGroupSize(context: MemberContext, tx: Tx, group: number) {
  const { max_group_members } = context.settings.current()
  if (max_group_members && (await countLimitedMembers({ ...context, db: tx }, group)) > max_group_members)
    throw createInvalidFieldError('user_id', {
      en: `The group is full: it can have ${max_group_members} members.`,
      ja: `このグループは満員です（${max_group_members}人まで）。`,
    })
}

/**
 * Returns the number of members that count for the size limit of a group: all members if the current member
 * is an admin, otherwise those whom the current member may see. If hidden members counted, a group that is
 * full too early would tell the current member that one of its members has blocked them. So a group can have
 * a few members more than the limit.
 */
const countLimitedMembers = (context: MemberContext, group: number) =>
  context.me.is_admin ? countAllGroupMembers(context.db, group) : countVisibleGroupMembers(context, group)

/**
 * Returns whether the group has fewer members than the setting `max_group_members`; always true if the
 * setting is 0 (no limit). Counts only the members whom the current member may see, or all members for an
 * admin.
 */
export async function hasRoomInGroup(context: MemberContext, group: number) {
  const { max_group_members } = context.settings.current()
  return !max_group_members || (await countLimitedMembers(context, group)) < max_group_members
}

const createContactsInGroupError = () =>
  createInvalidFieldError('user_id', {
    en: 'Somebody who looks after an account has to allow this first. Please ask an admin to add the member.',
    ja: 'アカウントを見守る人の承認が必要です。メンバーの追加は管理者に依頼してください。',
  })

const createNoSuchUserError = () =>
  createInvalidFieldError('user_id', { en: 'There is no such user.', ja: 'そのユーザーは見つかりません。' })

/** Renames a group, which the current member must manage. Returns null if the group already has this name. */
export const renameGroup = (
  context: SessionContext,
  group: number,
  name: string,
): Promise<GroupChange | null> =>
  changeManagedGroup(context, group, async (tx, before) => {
    const { me } = context
    if (before.name === name) return null
    await tx.updateTable('conversations').set({ name }).where('id', '=', group).execute()
    const event = { conversation_id: group, actor_id: me.id, by_owner: !me.is_admin }
    await context.emit(tx, 'group.renamed', event)
    return recordAndBroadcastGroupChange(context, tx, group, 'renamed', { name })
  })

/**
 * Changes slow mode of a group, which the current member must manage. Returns null if the group already has
 * this number of seconds.
 */
export const setSlowMode = (
  context: SessionContext,
  group: number,
  slow_mode_seconds: number,
): Promise<GroupChange | null> =>
  changeManagedGroup(context, group, async (tx, before) => {
    if (before.slow_mode_seconds === slow_mode_seconds) return null
    await tx.updateTable('conversations').set({ slow_mode_seconds }).where('id', '=', group).execute()
    const event = { conversation_id: group, actor_id: context.me.id, by_owner: !context.me.is_admin }
    await context.emit(tx, 'group.slow_mode_changed', event)
    return recordAndBroadcastGroupChange(context, tx, group, 'slow_mode', { slow_mode_seconds })
  })

/** Ends the current user's own membership in a group. Throws 403 if the current user is not a member. */
export const leaveGroup = (context: MemberContext, group: number): Promise<GroupChange> =>
  transaction(context.db, async (tx) => {
    await lockConversation(tx, group)
    await requireGroupMembership({ ...context, db: tx }, group)
    return (await deleteMembership(context, tx, group, context.me.id))!
  })

/**
 * Removes a member from a group and ends the member's subscriptions to its channels. The current member must
 * be an admin or the owner of the group. Returns null if the person is not a member, and for owners also if
 * they may not see the person.
 */
export const removeGroupMember = (
  context: SessionContext,
  group: number,
  user: number,
): Promise<GroupChange | null> =>
  transaction(context.db, async (tx) => {
    await lockAndRequireManagedGroup(context, tx, group)
    const visible = buildVisibleMembersQuery({ ...context, db: tx }).select('id')
    const isVisible = context.me.is_admin || (await hasMatchingRow(visible.where('id', '=', user)))
    return isVisible ? deleteMembership(context, tx, group, user) : null
  })

/**
 * Ends the membership of a person in a group. If the person owns the group, passes it to another member.
 * Returns null if the person is not a member.
 */
async function deleteMembership(context: MemberContext, tx: Tx, group: number, user: number) {
  const { me, emit } = context
  const { numDeletedRows } = await tx
    .deleteFrom('conversation_members')
    .where('conversation_id', '=', group)
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow()
  if (!numDeletedRows) return null
  tx.afterCommit(() => endGroupChannelSubscriptions(context, group, user))
  const by_owner = !me.is_admin && user !== me.id
  const event = { conversation_id: group, user_id: user, actor_id: me.id, by_owner }
  await emit(tx, 'group.member_removed', event)
  const change = await recordAndBroadcastGroupChange(
    context,
    tx,
    group,
    user === me.id ? 'left' : 'removed',
    { user },
  )
  await passGroupToSuccessorIfOwner(context, tx, group, user)
  return change
}

/**
 * Deletes a group, which the current member must manage, and its messages. Returns the names of the pictures
 * and files of the messages, and of the group's own picture, so that the caller can delete these files.
 */
export const deleteGroup = (context: SessionContext, group: number): Promise<string[]> =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    const { name, picture } = await lockAndRequireManagedGroup(context, tx, group)
    const images = await tx
      .selectFrom('message_attachments as i')
      .innerJoin('messages as m', 'm.id', 'i.message_id')
      .select('i.media')
      .distinct()
      .where('m.conversation_id', '=', group)
      .execute()
    const pictures = images.map(({ media }) => media)
    if (picture) pictures.push(picture)
    const member_ids = await listConversationMemberIds(tx, group)
    await recordAndBroadcastGroupChange(context, tx, group, 'deleted')
    tx.afterCommit(() => endGroupChannelSubscriptions(context, group))
    await tx.deleteFrom('conversations').where('id', '=', group).execute()
    await markMediaUnreferenced(tx, pictures)
    const event = { conversation_id: group, actor_id: me.id, by_owner: !me.is_admin, name, member_ids }
    await emit(tx, 'group.deleted', event)
    return pictures
  })

/** Locks the row of a group until the transaction commits. Throws 404 if there is no such group. */
async function lockGroupRow(tx: Tx, group: number) {
  await lockConversation(tx, group)
  const found = tx.selectFrom('conversations').select('id').where('id', '=', group)
  if (!(await hasMatchingRow(found.where('name', 'is not', null)))) throw createNoSuchGroupError()
}
