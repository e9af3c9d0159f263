import * as v from 'valibot'
import type { CurrentUser, MemberContext } from '#core/context.ts'
import { idSchema } from '#core/contract.ts'
import { hasMatchingRow, type Tx } from '#core/database/database.ts'
import { HttpError, httpErrorFactories } from '#core/http/errors.ts'
import { changeAndReadAccountWithRowLock } from '#features/people/accounts.ts'
import { countAndLimitNewMemberAction } from '#features/people/new-members.ts'
import {
  requireRecentIdentityConfirmation,
  type SessionContext,
} from '#features/people/session-confirmation.ts'
import { lockConversation } from './conversation-locks.ts'
import { MAX_OWNED_GROUPS } from './group-manager-contract.ts'

// Admins manage all groups. A member without admin rights who creates a group owns the group, until it passes
// to another member or the owner hands it over (group-owners.ts). The owner of a group may do what admins may
// do with it: change its name, description, picture and slow mode, add and remove members, pin messages, hand
// the group over to another member, and delete it.

const createNotAdminError = (me: CurrentUser) =>
  me.needs_second_step ? httpErrorFactories.secondStepNeeded() : httpErrorFactories.adminsOnly()

/** Throws 403 unless the current settings let the member create groups. */
export function requireMayCreateGroups({ me, settings }: Pick<MemberContext, 'me' | 'settings'>) {
  if (!me.is_admin && settings.current().who_can_create_groups !== 'members') throw createNotAdminError(me)
}

/**
 * Throws 403 unless the member is an admin or owns the group whose id is the path parameter `id`. Runs before
 * the input of the request is checked; `lockAndRequireManagedGroup` checks the same right again in the
 * transaction.
 */
export async function requireGroupManager(
  { me, db }: Pick<MemberContext, 'me' | 'db'>,
  { id }: Readonly<Record<string, string>>,
) {
  if (me.is_admin) return
  const group = v.safeParse(idSchema, id)
  const owned = db.selectFrom('conversations').select('id').where('owner_id', '=', me.id)
  if (!group.success || !(await hasMatchingRow(owned.where('id', '=', group.output))))
    throw createNotAdminError(me)
}

/**
 * Checks the limits before a member without admin rights creates a group, and counts the new group for the
 * limits of new members. Throws 403 if the member owns as many groups as a member may own, and 429 beyond the
 * limits for new members. Locks the account, so that two requests at the same moment cannot exceed the
 * maximum number.
 */
export async function enforceGroupCreationLimits(context: MemberContext, tx: Tx) {
  const { me } = context
  await changeAndReadAccountWithRowLock({ db: tx }, me.id, async () => {})
  const { count } = await tx
    .selectFrom('conversations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', me.id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_OWNED_GROUPS)
    throw new HttpError(403, {
      en: `You have ${MAX_OWNED_GROUPS} groups of your own, which is the most. Delete or leave one of them first.`,
      ja: `自分で作成できるグループは${MAX_OWNED_GROUPS}個までです。先にどれかを削除するか、退出してください。`,
    })
  await countAndLimitNewMemberAction(context, tx, 'group')
}

/**
 * Locks the row of a group until the commit and returns the row. Throws 403 unless the current member is an
 * admin or owns the group, 404 if an admin names a group that does not exist, and 423 if the group is not the
 * admin's own and the admin has not confirmed their identity lately: otherwise a stolen session would open
 * every group.
 */
export async function lockAndRequireManagedGroup(context: SessionContext, tx: Tx, group: number) {
  const { owner_id, created_by, ...row } = await lockAndRequirePinnableGroup(context, tx, group)
  const { me, session } = context
  // A group that an admin creates has no owner.
  const isOwn = owner_id === me.id || (owner_id === null && created_by === me.id)
  if (!isOwn) await requireRecentIdentityConfirmation(tx, session.token)
  return { ...row, owner_id }
}

/** Locks a group like `lockAndRequireManagedGroup`, but asks no admin for a confirmation. */
export async function lockAndRequirePinnableGroup({ me }: MemberContext, tx: Tx, group: number) {
  await lockConversation(tx, group)
  const row = await tx
    .selectFrom('conversations')
    .select(['name', 'owner_id', 'created_by', 'slow_mode_seconds', 'description', 'picture'])
    .where('id', '=', group)
    .where('name', 'is not', null)
    .executeTakeFirst()
  if (!me.is_admin && row?.owner_id !== me.id) throw createNotAdminError(me)
  if (!row) throw createNoSuchGroupError()
  return { ...row, name: row.name! }
}

export const createNoSuchGroupError = () =>
  new HttpError(404, { en: 'There is no such group.', ja: 'そのグループは見つかりません。' })
