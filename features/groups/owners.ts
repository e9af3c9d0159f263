import { type SqlBool, sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import { hasMatchingRow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError } from '#core/http/errors.ts'
import type { GroupChange } from '#features/conversations/contract.ts'
import { lockConversation } from '#features/conversations/locks.ts'
import * as chats from '#features/conversations/read.ts'
import { lockMembers } from '#features/people/blocks.ts'
import * as credentials from '#features/people/credentials.ts'
import { allMemberIds } from '#features/people/deletion.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import * as visibility from '#features/people/visibility.ts'
import { recordChange } from './changes.ts'
import { MAX_OWNED_GROUPS } from './contract.ts'
import { lockManagedGroup } from './managers.ts'

// A group passes to another member when its owner leaves, is removed, deletes the account or is suspended
// without end; otherwise only admins could manage it. A manager can also hand it over.

/**
 * Without a member who may own it, the group has no owner any more. The caller holds the lock of the group.
 */
export async function passOn(context: AppContext, tx: Tx, group: number, user: number) {
  if (!(await isOwner(tx, group, user))) return
  const successor = await lockSuccessor(tx, group, user)
  await tx.updateTable('conversations').set({ owner_id: successor }).where('id', '=', group).execute()
  if (successor === null) return
  const event = { conversation_id: group, user_id: successor, actor_id: null, by_owner: false }
  await context.emit(tx, 'group.owner_changed', event)
  await recordChange({ ...context, me: null }, tx, group, 'owner', { user: successor })
}

/** The member keeps the groups that nobody else may own. A suspension that ends by itself passes none. */
export async function passAllOn(context: AppContext, tx: Tx, user: number) {
  const suspension = await visibility.findSuspension(tx, user)
  if (!suspension || suspension.ends_at !== null) return
  for (const group of await listOwned(tx, user)) {
    await lockConversation(tx, group)
    if ((await findSuccessor(tx, group, user)) !== undefined) await passOn(context, tx, group, user)
  }
}

/** Ascending ids, so that all transactions lock the groups in the same order. */
export async function listOwned(tx: Tx, user: number) {
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
 * Locks the account, so that it is not suspended or deleted before the commit. Null if nobody may own the
 * group.
 */
async function lockSuccessor(tx: Tx, group: number, user: number) {
  for (;;) {
    const found = await findSuccessor(tx, group, user)
    if (found === undefined) return null
    await credentials.lock(tx, found)
    // Again, because the account may have been suspended or deleted before it was locked.
    if ((await findSuccessor(tx, group, user)) === found) return found
  }
}

/** Longest-standing member who may own the group. */
async function findSuccessor(tx: Tx, group: number, user: number) {
  const row = await buildPossibleOwnersQuery(tx, group)
    .where('m.user_id', '!=', user)
    .orderBy('m.created_at')
    .orderBy('m.user_id')
    .limit(1)
    .executeTakeFirst()
  return row?.user_id
}

/** The member, a column, is not suspended and owns fewer groups than a member may own. */
const mayOwnMore = (member: string) =>
  sql<SqlBool>`(${visibility.notSuspended(member)}
    and (select count(*) from conversations as owned where owned.owner_id = ${sql.ref(member)})
      < ${MAX_OWNED_GROUPS})`

export const mayOwn = (tx: Tx, member: number) =>
  hasMatchingRow(allMemberIds(tx).where('id', '=', member).where(mayOwnMore('users.id')))

const buildPossibleOwnersQuery = (tx: Tx, group: number) =>
  tx
    .selectFrom('conversation_members as m')
    .select('m.user_id')
    .where('m.conversation_id', '=', group)
    .where('m.user_id', 'in', allMemberIds(tx))
    .where(mayOwnMore('m.user_id'))

/**
 * Returns null if the member owns the group already. 422 if they are no member whom the current member may
 * see (admins see all), or may not own it; that error does not tell whether they are suspended or own too
 * many groups.
 */
export const handOver = (context: SessionContext, group: number, user: number): Promise<GroupChange | null> =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    const { owner_id } = await lockManagedGroup(context, tx, group)
    await lockMembers(tx, [me.id, user])
    if (!(await isVisibleMember({ ...context, db: tx }, group, user))) throw createNotMemberError()
    if (owner_id === user) return null
    await credentials.lock(tx, user)
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
    return recordChange(context, tx, group, 'owner', { user })
  })

/** Admins see all members. */
async function isVisibleMember(viewer: MemberContext, group: number, user: number) {
  const members = await chats.listMemberIds(viewer.db, group)
  const visible = visibility.members(viewer).select('id').where('id', '=', user)
  return members.includes(user) && (viewer.me.is_admin || (await hasMatchingRow(visible)))
}

const createNotMemberError = () =>
  fieldError('user_id', {
    en: 'Only a member of the group can take it over.',
    ja: 'まとめ役になれるのは、グループのメンバーだけです。',
  })

const createMayNotOwnError = () =>
  fieldError('user_id', {
    en: 'This member cannot take over a group at the moment.',
    ja: 'この人は、今はまとめ役になれません。',
  })
