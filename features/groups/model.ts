import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { hasMatchingRow, isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError } from '#core/http/errors.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import type { GroupChange } from '#features/conversations/contract.ts'
import { lockConversation } from '#features/conversations/locks.ts'
import * as chats from '#features/conversations/read.ts'
import { lockMembers } from '#features/people/blocks.ts'
import { allMemberIds } from '#features/people/deletion.ts'
import { limitNewMember } from '#features/people/new-members.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import * as visibility from '#features/people/visibility.ts'
import * as groupBroadcasts from './broadcasts.ts'
import { recordChange } from './changes.ts'
import { ContactsError } from './contacts-error.ts'
import { countNewGroup, lockManagedGroup, noSuchGroup, requireMayCreate } from './managers.ts'
import { changeGroup } from './of-two.ts'
import * as owners from './owners.ts'
import * as readGroups from './read.ts'
import * as renewal from './renewal.ts'
import { hasEnded } from './writers.ts'

// Callers that change an existing group hold its lock until the broadcast: broadcasts keep the order of
// commits.

/** 403 if the creator may not create groups or owns too many, 429 beyond the limits for new members. */
export const create = (context: MemberContext, name: string, created_at = isoNow()) =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    requireMayCreate(context)
    if (!me.is_admin) await countNewGroup(context, tx)
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
    return { id, name, change: await recordChange(context, tx, id, 'created', { name }) }
  })

/**
 * Owners add only people whom they can see, so that a person who has blocked them looks like no account, and
 * nobody whose contact a guardian has to allow first (`ContactsError`). Such a refusal counts for the limits of
 * new members too, because it shows that one of them has a guardian. `check` runs first, with the group locked.
 */
export async function addAsManager(
  context: SessionContext,
  group: number,
  user: number,
  check: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<GroupChange | null> {
  const count = (tx: Tx) => limitNewMember(context, tx, 'group_member')
  let isContactRefused = false
  const add = async (tx: Tx) => {
    const inTransaction = { ...context, db: tx }
    const { me } = context
    await lockManagedGroup(context, tx, group)
    await check(tx)
    if (me.is_admin) return addMember(inTransaction, group, user)
    await lockMembers(tx, [me.id, user])
    if (!(await hasMatchingRow(visibility.members(inTransaction).select('id').where('id', '=', user))))
      throw createNoSuchUserError()
    const members = await chats.listMemberIds(tx, group)
    const added = await addMember(inTransaction, group, user)
    if (!added) return null
    await count(tx)
    const others = members.filter((id) => id !== user)
    isContactRefused = !(await context.contacts.areContactsAllowedOutsideGroup(tx, group, user, others))
    if (isContactRefused) throw new ContactsError()
    return added
  }
  try {
    return await transaction(context.db, add)
  } catch (error) {
    // The rollback has undone the first count and report.
    if (isContactRefused)
      await transaction(context.db, async (tx) => {
        await count(tx)
        await context.contacts.deliver(tx, { from: context.me.id, to: user, kind: 'group' })
      })
    throw error
  }
}

/**
 * Null if the person is a member already. 422 if the group is full or there is no such person. Earlier
 * messages count as read; the group counts as one unread message until the new member opens it.
 */
export const addMember = (context: MemberContext, group: number, user: number): Promise<GroupChange | null> =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    await lockOpenGroup(tx, group)
    // Admins may also add people who have blocked them.
    if (!(await hasMatchingRow(allMemberIds(tx).where('id', '=', user)))) throw createNoSuchUserError()
    const { last_read_id } = await tx
      .selectFrom('messages')
      .select(sql<number>`coalesce(max(id), 0)`.as('last_read_id'))
      .where('conversation_id', '=', group)
      .executeTakeFirstOrThrow()
    const created_at = isoNow()
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
    return recordChange(context, tx, group, 'added', { user })
  })

/** Throws 422. The caller must have locked the group. */
async function requireAllowedGroupSize(context: MemberContext, tx: Tx, group: number) {
  const { max_group_members } = context.settings.current()
  if (max_group_members && (await countLimitedMembers({ ...context, db: tx }, group)) > max_group_members)
    throw fieldError('user_id', {
      en: `The group is full: it can have ${max_group_members} members.`,
      ja: `このグループは、人数の上限（${max_group_members}人）に達しています。`,
    })
}

/**
 * Counts the members whom the current member may see; all for an admin. If hidden members counted, a group
 * that is full too early would tell that one of them has blocked the member. So a group can get a few members
 * too many.
 */
const countLimitedMembers = (context: MemberContext, group: number) =>
  context.me.is_admin ? readGroups.countMembers(context.db, group) : readGroups.countVisible(context, group)

/** No limit if `max_group_members` is 0. Counts as `countLimitedMembers`. */
export async function hasRoom(context: MemberContext, group: number) {
  const { max_group_members } = context.settings.current()
  return !max_group_members || (await countLimitedMembers(context, group)) < max_group_members
}

const createNoSuchUserError = () =>
  fieldError('user_id', { en: 'There is no such user.', ja: 'そのメンバーは見つかりません。' })

/** Returns null if nothing changed. */
export const rename = (context: SessionContext, group: number, name: string): Promise<GroupChange | null> =>
  changeGroup(context, group, async (tx, before) => {
    const { me } = context
    if (before.name === name) return null
    await tx.updateTable('conversations').set({ name }).where('id', '=', group).execute()
    const event = { conversation_id: group, actor_id: me.id, by_owner: !me.is_admin }
    await context.emit(tx, 'group.renamed', event)
    return recordChange(context, tx, group, 'renamed', { name })
  })

/** Returns null if nothing changed. */
export const setSlowMode = (
  context: SessionContext,
  group: number,
  slow_mode_seconds: number,
): Promise<GroupChange | null> =>
  changeGroup(context, group, async (tx, before) => {
    if (before.slow_mode_seconds === slow_mode_seconds) return null
    await tx.updateTable('conversations').set({ slow_mode_seconds }).where('id', '=', group).execute()
    const event = { conversation_id: group, actor_id: context.me.id, by_owner: !context.me.is_admin }
    await context.emit(tx, 'group.slow_mode_changed', event)
    return recordChange(context, tx, group, 'slow_mode', { slow_mode_seconds })
  })

interface WritersChange {
  writers: 'all' | 'chosen'
  /** Ids of members who may write from now on, or no longer. Ids of other people change nothing. */
  add: readonly number[]
  remove: readonly number[]
}

/** Who was chosen stays chosen while all may write. Returns null if all could write before too. */
export const setWriters = (
  context: SessionContext,
  group: number,
  { writers, add, remove }: WritersChange,
): Promise<GroupChange | null> =>
  changeGroup(context, group, async (tx, before) => {
    const isChosen = writers === 'chosen'
    if (!isChosen && before.chosen_writers_since === null) return null
    const now = isoNow()
    const chosen_writers_since = isChosen ? (before.chosen_writers_since ?? now) : null
    await tx.updateTable('conversations').set({ chosen_writers_since }).where('id', '=', group).execute()
    const members = tx.updateTable('conversation_members').where('conversation_id', '=', group)
    if (remove.length) await members.set({ may_write_since: null }).where('user_id', 'in', remove).execute()
    if (add.length)
      await members
        .set({ may_write_since: sql`coalesce(may_write_since, ${now})` })
        .where('user_id', 'in', add)
        .execute()
    const event = { conversation_id: group, actor_id: context.me.id, by_owner: !context.me.is_admin }
    await context.emit(tx, 'group.writers_changed', event)
    return recordChange(context, tx, group, isChosen ? 'writers_chosen' : 'writers_all')
  })

/** Nobody writes in an ended group or joins it; members go on reading. Returns null if nothing changed. */
export const setEnded = (context: SessionContext, group: number, has_ended: boolean) =>
  changeGroup(context, group, async (tx, before) => {
    if ((before.ended_at !== null) === has_ended) return null
    return renewal.setEnded(context, tx, group, has_ended)
  })

/** 403 if the current user is not a member. */
export const leave = (context: MemberContext, group: number): Promise<GroupChange> =>
  transaction(context.db, async (tx) => {
    await lockConversation(tx, group)
    await chats.requireMember({ ...context, db: tx }, group)
    return (await deleteMembership(context, tx, group, context.me.id))!
  })

/**
 * Null if the person is not a member, or an owner may not see them. Ends the subscriptions to the channels.
 */
export const removeMember = (
  context: SessionContext,
  group: number,
  user: number,
): Promise<GroupChange | null> =>
  transaction(context.db, async (tx) => {
    await lockManagedGroup(context, tx, group)
    const visible = visibility.members({ ...context, db: tx }).select('id')
    const isVisible = context.me.is_admin || (await hasMatchingRow(visible.where('id', '=', user)))
    return isVisible ? deleteMembership(context, tx, group, user) : null
  })

/** Passes an owner's group on. Returns null if the person is not a member. */
async function deleteMembership(context: MemberContext, tx: Tx, group: number, user: number) {
  const { me, emit } = context
  const { numDeletedRows } = await tx
    .deleteFrom('conversation_members')
    .where('conversation_id', '=', group)
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow()
  if (!numDeletedRows) return null
  tx.afterCommit(() => groupBroadcasts.unsubscribe(context, group, user))
  const by_owner = !me.is_admin && user !== me.id
  const event = { conversation_id: group, user_id: user, actor_id: me.id, by_owner }
  await emit(tx, 'group.member_removed', event)
  const change = await recordChange(context, tx, group, user === me.id ? 'left' : 'removed', { user })
  await owners.passOn(context, tx, group, user)
  return change
}

/** Returns the names of all its pictures and files, for the caller to delete. */
export const remove = (context: SessionContext, group: number): Promise<string[]> =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    const { name, picture } = await lockManagedGroup(context, tx, group)
    const images = await tx
      .selectFrom('message_attachments as i')
      .innerJoin('messages as m', 'm.id', 'i.message_id')
      .select('i.media')
      .distinct()
      .where('m.conversation_id', '=', group)
      .execute()
    const pictures = images.map(({ media }) => media)
    if (picture) pictures.push(picture)
    const member_ids = await chats.listMemberIds(tx, group)
    await recordChange(context, tx, group, 'deleted')
    tx.afterCommit(() => groupBroadcasts.unsubscribe(context, group))
    await tx.deleteFrom('conversations').where('id', '=', group).execute()
    await lifecycle.detach(tx, pictures)
    const event = { conversation_id: group, actor_id: me.id, by_owner: !me.is_admin, name, member_ids }
    await emit(tx, 'group.deleted', event)
    return pictures
  })

/** Locks until the commit. 404 if there is no such group, 403 if it has ended. */
async function lockOpenGroup(tx: Tx, group: number) {
  await lockConversation(tx, group)
  const found = await tx
    .selectFrom('conversations')
    .select('ended_at')
    .where('id', '=', group)
    .where('name', 'is not', null)
    .executeTakeFirst()
  if (!found) throw noSuchGroup()
  if (found.ended_at !== null) throw hasEnded()
}
