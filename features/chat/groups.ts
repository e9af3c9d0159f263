import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { now, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import { detach } from '#core/media/lifecycle.ts'
import { personRows } from '#features/people/read.ts'
import { broadcastGroupChange, revokeGroup } from './broadcasts.ts'
import type { GroupChange } from './contract.ts'
import { lockConversation } from './model.ts'
import { memberIds, membership } from './read.ts'
import { change } from './read-groups.ts'
import type { ChatTables } from './tables.ts'

// Each change is broadcast after its commit. The callers hold the lock of the group until then, so the events
// leave in the order of the commits.

/** Creates a group with its creator as the first member. */
export const create = (context: MemberContext, name: string, created_at = now()) =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    const { id } = await tx
      .insertInto('conversations')
      .values({ name, created_by: me.id, created_at })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('members')
      .values({ conversation_id: id, user_id: me.id, added_by: me.id, created_at })
      .execute()
    await emit(tx, 'group.created', { conversation_id: id, actor_id: me.id })
    return { id, name, change: await recordChange(context, tx, id, 'created', { name }) }
  })

/**
 * Returns null where the person is a member already. For a new member the messages from before are read, and
 * the group itself is unread until the member opens it.
 */
export const addUser = (context: MemberContext, group: number, user: number): Promise<GroupChange | null> =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    await lockGroup(tx, group)
    const person = personRows({ ...context, db: tx }).where('id', '=', user)
    if (!(await person.executeTakeFirst())) throw noSuchUser()
    const { last_read_id } = await tx
      .selectFrom('messages')
      .select(sql<number>`coalesce(max(id), 0)`.as('last_read_id'))
      .where('conversation_id', '=', group)
      .executeTakeFirstOrThrow()
    const created_at = now()
    const new_since = user === me.id ? null : created_at
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('members')
      .values({ conversation_id: group, user_id: user, added_by: me.id, last_read_id, new_since, created_at })
      .onConflict((c) => c.doNothing())
      .executeTakeFirstOrThrow()
    if (!numInsertedOrUpdatedRows) return null
    await emit(tx, 'group.member_added', { conversation_id: group, user_id: user, actor_id: me.id })
    return recordChange(context, tx, group, 'added', { person: user })
  })

const noSuchUser = () =>
  fieldError('user_id', { en: 'There is no such user.', ja: 'そのユーザーは見つかりません。' })

/** Returns null where the group has the name already. */
export const rename = (context: MemberContext, group: number, name: string): Promise<GroupChange | null> =>
  transaction(context.db, async (tx) => {
    if ((await lockGroup(tx, group)) === name) return null
    await tx.updateTable('conversations').set({ name }).where('id', '=', group).execute()
    await context.emit(tx, 'group.renamed', { conversation_id: group, actor_id: context.me.id })
    return recordChange(context, tx, group, 'renamed', { name })
  })

/** Throws 403 where the member is not in the group. */
export const leave = (context: MemberContext, group: number): Promise<GroupChange> =>
  transaction(context.db, async (tx) => {
    const inTransaction = { ...context, db: tx }
    await lockConversation(tx, group)
    await membership(inTransaction, group)
    return (await removeMember(inTransaction, group, context.me.id))!
  })

/** Ends the person's subscriptions as well. Returns null where the person is not a member. */
export const removeMember = (
  context: MemberContext,
  group: number,
  user: number,
): Promise<GroupChange | null> =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    await lockGroup(tx, group)
    const { numDeletedRows } = await tx
      .deleteFrom('members')
      .where('conversation_id', '=', group)
      .where('user_id', '=', user)
      .executeTakeFirstOrThrow()
    if (!numDeletedRows) return null
    tx.afterCommit(() => revokeGroup(context, group, user))
    await emit(tx, 'group.member_removed', { conversation_id: group, user_id: user, actor_id: me.id })
    return recordChange(context, tx, group, user === me.id ? 'left' : 'removed', { person: user })
  })

/** Deletes a group and its messages. Returns the names of their pictures, whose files may then go. */
export const remove = (context: MemberContext, group: number): Promise<string[]> =>
  transaction(context.db, async (tx) => {
    await lockGroup(tx, group)
    const images = await tx
      .selectFrom('message_images as i')
      .innerJoin('messages as m', 'm.id', 'i.message_id')
      .select('i.media')
      .distinct()
      .where('m.conversation_id', '=', group)
      .execute()
    const pictures = images.map(({ media }) => media)
    await recordChange(context, tx, group, 'deleted')
    tx.afterCommit(() => revokeGroup(context, group))
    await tx.deleteFrom('conversations').where('id', '=', group).execute()
    await detach(tx, pictures)
    await context.emit(tx, 'group.deleted', { conversation_id: group, actor_id: context.me.id })
    return pictures
  })

/** Locks a group until the commit and returns its name. Throws 404 where there is no such group. */
async function lockGroup(tx: Tx, group: number) {
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

/** Adds a change to the history of a group, which members see between the messages, and broadcasts it. */
async function recordChange(
  context: MemberContext,
  tx: Tx,
  group: number,
  kind: ChatTables['group_changes']['kind'],
  { person = null, name = null }: { person?: number | null; name?: string | null } = {},
): Promise<GroupChange> {
  const row = { conversation_id: group, kind, actor_id: context.me.id, person_id: person, name }
  const { id } = await tx
    .insertInto('group_changes')
    .values({ ...row, created_at: now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const recipients = new Set(await memberIds(tx, group))
  if (person !== null) recipients.add(person)
  const recorded = await change({ ...context, db: tx }, id)
  tx.afterCommit(() => broadcastGroupChange(context, group, recorded, [...recipients]))
  return recorded
}
