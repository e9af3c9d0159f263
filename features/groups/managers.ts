import { type SqlBool, sql } from 'kysely'
import * as v from 'valibot'
import type { CurrentUser, MemberContext } from '#core/context.ts'
import { hasMatchingRow, type Tx } from '#core/database/database.ts'
import { HttpError, httpErrors } from '#core/http/errors.ts'
import { idSchema } from '#core/schemas.ts'
import { lockConversation } from '#features/conversations/locks.ts'
import * as accounts from '#features/people/accounts.ts'
import { limitNewMember } from '#features/people/new-members.ts'
import { requireConfirmation, type SessionContext } from '#features/people/session-confirmation.ts'
import { MAX_OWNED_GROUPS } from './contract.ts'

// Admins manage all groups. A member who creates a group owns it, until it passes to another member or the
// owner hands it over (owners.ts). The owner may do with it what admins may, deleting it included.

const createNotAdminError = (me: CurrentUser) =>
  me.needs_second_step ? httpErrors.secondStepNeeded() : httpErrors.adminsOnly()

/** 403 unless the settings allow it. */
export function requireMayCreate({ me, settings }: Pick<MemberContext, 'me' | 'settings'>) {
  if (!me.is_admin && settings.current().who_can_create_groups !== 'members') throw createNotAdminError(me)
}

/**
 * 403 unless the member is an admin or owns the group of the path parameter `id`. Runs before the input is
 * checked; `lockManagedGroup` checks again in the transaction.
 */
export async function requireManager(
  { me, db }: Pick<MemberContext, 'me' | 'db'>,
  { id }: Readonly<Record<string, string>>,
) {
  if (me.is_admin) return
  const group = v.safeParse(idSchema, id)
  const owned = db.selectFrom('conversations').select('id').where('owner_id', '=', me.id)
  if (!group.success || !(await hasMatchingRow(owned.where('id', '=', group.output))))
    throw createNotAdminError(me)
}

/** `group` is a column. */
export const owns = (member: number, group: string) =>
  sql<SqlBool>`exists (select 1 from conversations owned
    where owned.id = ${sql.ref(group)} and owned.owner_id = ${member})`

/**
 * Counts the new group for the limits of new members (429). 403 if the member owns too many. Locks the
 * account, so that two requests at the same moment cannot exceed the maximum.
 */
export async function countNewGroup(context: MemberContext, tx: Tx) {
  const { me } = context
  await accounts.change({ db: tx }, me.id, async () => {})
  const { count } = await tx
    .selectFrom('conversations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', me.id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_OWNED_GROUPS)
    throw new HttpError(403, {
      en: `You have ${MAX_OWNED_GROUPS} groups of your own, which is the most. Delete or leave one of them first.`,
      ja: `自分がまとめ役のグループは${MAX_OWNED_GROUPS}個までです。先に、どれかを削除するか退出してください。`,
    })
  await limitNewMember(context, tx, 'group')
}

/**
 * Locks the group until the commit. 403 unless the member is an admin or owns it, 404 if it does not exist,
 * 423 if an admin who has not confirmed their identity lately names a group not their own: a stolen session
 * would open every group.
 */
export async function lockManagedGroup(context: SessionContext, tx: Tx, group: number) {
  const { owner_id, created_by, ...row } = await lockPinnableGroup(context, tx, group)
  const { me, session } = context
  // A group that an admin creates has no owner.
  const isOwn = owner_id === me.id || (owner_id === null && created_by === me.id)
  if (!isOwn) await requireConfirmation(tx, session.token)
  return { ...row, owner_id }
}

/** As `lockManagedGroup`, but asks no admin for a confirmation. */
export async function lockPinnableGroup({ me }: MemberContext, tx: Tx, group: number) {
  await lockConversation(tx, group)
  const row = await tx
    .selectFrom('conversations')
    .select(['name', 'owner_id', 'created_by', 'slow_mode_seconds', 'chosen_writers_since', 'ended_at'])
    .select(['description', 'picture'])
    .where('id', '=', group)
    .where('name', 'is not', null)
    .executeTakeFirst()
  if (!me.is_admin && row?.owner_id !== me.id) throw createNotAdminError(me)
  if (!row) throw noSuchGroup()
  return { ...row, name: row.name! }
}

export const noSuchGroup = () =>
  new HttpError(404, { en: 'There is no such group.', ja: 'そのグループは見つかりません。' })
