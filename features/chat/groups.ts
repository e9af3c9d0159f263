import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, hasMatchingRow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError, invalidFieldError } from '#core/http/errors.ts'
import { detachPictures } from '#core/media/lifecycle.ts'
import { memberIdsQuery } from '#features/people/deletion.ts'
import { broadcastGroupChange, endGroupSubscriptions } from './broadcasts.ts'
import type { GroupChange } from './contract.ts'
import { lockConversation } from './model.ts'
import { listConversationMemberIds, requireMembership } from './read.ts'
import { readGroupChange } from './read-groups.ts'
import type { ChatTables } from './tables.ts'

// Each change is broadcast after its commit. Callers hold the lock of the group until then, so the events
// leave in the order of the commits.

/** Creates a group with its creator as the first member. */
export const createGroup = (context: MemberContext, name: string, created_at = currentIsoTime()) =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    const { id } = await tx
      .insertInto('conversations')
      .values({ name, created_by: me.id, created_at })
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
 * Adds a member. Returns null if the person is a member already. For the new member, earlier messages count
 * as read; the group counts as one unread message until the member opens it.
 */
export const addGroupMember = (
  context: MemberContext,
  group: number,
  user: number,
): Promise<GroupChange | null> =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    await lockGroupRow(tx, group)
    // Without visibility rules, because admins administrate all members, also those who have blocked them.
    if (!(await hasMatchingRow(memberIdsQuery(tx).where('id', '=', user)))) throw noSuchUserError()
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
        unopened_since,
        created_at,
      })
      .onConflict((c) => c.doNothing())
      .executeTakeFirstOrThrow()
    if (!numInsertedOrUpdatedRows) return null
    await emit(tx, 'group.member_added', { conversation_id: group, user_id: user, actor_id: me.id })
    return recordChange(context, tx, group, 'added', { user })
  })

const noSuchUserError = () =>
  invalidFieldError('user_id', { en: 'There is no such user.', ja: 'そのユーザーは見つかりません。' })

/** Renames a group. Returns null if it has the name already. */
export const renameGroup = (
  context: MemberContext,
  group: number,
  name: string,
): Promise<GroupChange | null> =>
  transaction(context.db, async (tx) => {
    if ((await lockGroupRow(tx, group)) === name) return null
    await tx.updateTable('conversations').set({ name }).where('id', '=', group).execute()
    await context.emit(tx, 'group.renamed', { conversation_id: group, actor_id: context.me.id })
    return recordChange(context, tx, group, 'renamed', { name })
  })

/** Leaves a group. Throws 403 if the current user is not a member. */
export const leaveGroup = (context: MemberContext, group: number): Promise<GroupChange> =>
  transaction(context.db, async (tx) => {
    const inTransaction = { ...context, db: tx }
    await lockConversation(tx, group)
    await requireMembership(inTransaction, group)
    return (await removeGroupMember(inTransaction, group, context.me.id))!
  })

/** Removes a member and ends their subscriptions. Returns null if the person is not a member. */
export const removeGroupMember = (
  context: MemberContext,
  group: number,
  user: number,
): Promise<GroupChange | null> =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    await lockGroupRow(tx, group)
    const { numDeletedRows } = await tx
      .deleteFrom('conversation_members')
      .where('conversation_id', '=', group)
      .where('user_id', '=', user)
      .executeTakeFirstOrThrow()
    if (!numDeletedRows) return null
    tx.afterCommit(() => endGroupSubscriptions(context, group, user))
    await emit(tx, 'group.member_removed', { conversation_id: group, user_id: user, actor_id: me.id })
    return recordChange(context, tx, group, user === me.id ? 'left' : 'removed', { user })
  })

/**
 * Deletes a group and its messages. Returns the names of their pictures, so that the caller can delete the
 * files.
 */
export const deleteGroup = (context: MemberContext, group: number): Promise<string[]> =>
  transaction(context.db, async (tx) => {
    await lockGroupRow(tx, group)
    const images = await tx
      .selectFrom('message_images as i')
      .innerJoin('messages as m', 'm.id', 'i.message_id')
      .select('i.media')
      .distinct()
      .where('m.conversation_id', '=', group)
      .execute()
    const pictures = images.map(({ media }) => media)
    await recordChange(context, tx, group, 'deleted')
    tx.afterCommit(() => endGroupSubscriptions(context, group))
    await tx.deleteFrom('conversations').where('id', '=', group).execute()
    await detachPictures(tx, pictures)
    await context.emit(tx, 'group.deleted', { conversation_id: group, actor_id: context.me.id })
    return pictures
  })

/** Locks a group until the commit and returns its name. Throws 404 if there is no such group. */
async function lockGroupRow(tx: Tx, group: number) {
  await lockConversation(tx, group)
  const row = await tx
    .selectFrom('conversations')
    .select('name')
    .where('id', '=', group)
    .where('name', 'is not', null)
    .executeTakeFirst()
  if (!row) throw new HttpError(404, { en: 'There is no such group.', ja: 'そのグループは見つかりません。' })
  return row.name!
}

/**
 * Adds a change to the group's history, which members see between the messages, and broadcasts it after the
 * commit.
 */
async function recordChange(
  context: MemberContext,
  tx: Tx,
  group: number,
  kind: ChatTables['group_changes']['kind'],
  { user = null, name = null }: { user?: number | null; name?: string | null } = {},
): Promise<GroupChange> {
  const row = { conversation_id: group, kind, actor_id: context.me.id, user_id: user, name }
  const { id } = await tx
    .insertInto('group_changes')
    .values({ ...row, created_at: currentIsoTime() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const recipients = new Set(await listConversationMemberIds(tx, group))
  if (user !== null) recipients.add(user)
  const recorded = await readGroupChange({ ...context, db: tx }, id)
  tx.afterCommit(() => broadcastGroupChange(context, group, recorded, [...recipients]))
  return recorded
}
