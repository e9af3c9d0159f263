import { recordAuditLogEntry } from '#core/audit-log/audit-log.ts'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { createInvalidFieldError, HttpError } from '#core/http/errors.ts'
import { lockMemberRowsExclusively } from '#features/people/blocks.ts'
import {
  buildChildAccountsQuery,
  deleteChildAccountMark,
  deleteEndedChildMarksAndReturnAccountIds,
  formatDateInServerTimeZone,
  isChildAccount,
  listAccountIdsWithEndedChildMark,
  saveChildAccountMark,
} from '#features/people/children.ts'
import { hasMemberWithId } from '#features/people/deletion.ts'
import { isModerator } from '#features/people/moderators.ts'
import { isAdmin } from '#features/people/read.ts'
import { isMemberSuspended } from '#features/people/visibility.ts'
import {
  allowExistingContactsOfChild,
  deleteContactRowsAboutGuardiansOfChild,
  pauseNoLongerAllowedContactsOfChildren,
} from './contacts.ts'
import { MAX_CHILDREN_OF_GUARDIAN } from './contract.ts'

// The functions of this file mark accounts as those of children, and end these marks. Only admins may do so:
// the callers have checked that the current member is an admin.

interface NewMark {
  id: number
  /** The ids of the one or two guardians of the child. */
  guardians: readonly number[]
  ends_on: string
}

/** The maximum number of years for which an admin can mark an account as a child's. */
const MAX_YEARS = 25

/**
 * Marks an account as a child's, or changes the guardians or the end of an existing mark. Does nothing
 * if nothing changes. Throws 403 for an admin, a moderator or a guardian, and 422 for a wrong guardian or
 * day.
 */
export async function markAccountAsChildOrUpdateMark(
  context: MemberContext,
  tx: Tx,
  { id, guardians, ends_on }: NewMark,
) {
  requirePossibleEnd(ends_on)
  const wanted = [...new Set(guardians)].sort((a, b) => a - b)
  // The locks last until the commit: other transactions that change follows, messages, rights or marks of
  // these members wait.
  await lockMemberRowsExclusively(tx, [id, ...wanted])
  await deleteAndLogEndedChildAccountMarks(tx)
  const before = await buildChildAccountsQuery(tx).where('user_id', '=', id).executeTakeFirst()
  const old = before ? await listGuardianIds(tx, id) : []
  const added = wanted.filter((guardian) => !old.includes(guardian))
  const removed = old.filter((guardian) => !wanted.includes(guardian))
  if (before?.ends_on === ends_on && !added.length && !removed.length) return
  if (!before) await requirePossibleChild(tx, id)
  for (const guardian of added) await requirePossibleGuardian(tx, id, guardian)
  await saveChildAccountMark(tx, { user_id: id, ends_on, created_by: context.me.id })
  if (removed.length)
    await tx.deleteFrom('guardians').where('child_id', '=', id).where('guardian_id', 'in', removed).execute()
  for (const guardian_id of added)
    await tx
      .insertInto('guardians')
      .values({ child_id: id, guardian_id, seen_at: null, created_at: currentIsoTime() })
      .execute()
  await deleteContactRowsAboutGuardiansOfChild(tx, id)
  // Ends the subscriptions to channels that children do not get.
  if (!before) tx.afterCommit(() => context.realtime.recheckGuards(id))
  if (!before) await allowExistingContactsOfChild(context, tx, id)
  else await pauseNoLongerAllowedContactsOfChildren(context, tx, [id], removed)
  await recordAuditLogEntry(tx, {
    action: before ? 'child_changed' : 'child_marked',
    subject: 'member',
    subject_id: id,
    actor_id: context.me.id,
    detail: { guardians: wanted, ends_on },
  })
}

/**
 * Removes the mark of a child's account, and records in the audit log that an admin has removed it. The rows
 * in `child_contacts` stay for a later mark. Does nothing if the account has no mark.
 */
export async function endChildAccountMark({ me }: MemberContext, tx: Tx, id: number) {
  await lockMemberRowsExclusively(tx, [id])
  const guardians = await listGuardianIds(tx, id)
  if (!(await deleteChildAccountMark(tx, id))) return
  await recordAuditLogEntry(tx, {
    action: 'child_ended',
    subject: 'member',
    subject_id: id,
    actor_id: me.id,
    detail: { guardians },
  })
}

/**
 * Deletes the marks of children's accounts whose `ends_on` is today or earlier, and records in the audit log
 * that the system deleted them.
 */
export async function deleteAndLogEndedChildAccountMarks(tx: Tx) {
  const ended = await listAccountIdsWithEndedChildMark(tx)
  if (!ended.length) return
  const rows = await tx
    .selectFrom('guardians')
    .select(['child_id', 'guardian_id'])
    .where('child_id', 'in', ended)
    .orderBy('guardian_id')
    .execute()
  const guardians = Map.groupBy(rows, ({ child_id }) => child_id)
  for (const id of await deleteEndedChildMarksAndReturnAccountIds(tx, ended))
    await recordAuditLogEntry(tx, {
      action: 'child_ended',
      subject: 'member',
      subject_id: id,
      role: 'system',
      detail: { guardians: (guardians.get(id) ?? []).map(({ guardian_id }) => guardian_id) },
    })
}

async function listGuardianIds(tx: Tx, child: number) {
  const rows = await tx
    .selectFrom('guardians')
    .select('guardian_id')
    .where('child_id', '=', child)
    .orderBy('guardian_id')
    .execute()
  return rows.map(({ guardian_id }) => guardian_id)
}

function requirePossibleEnd(ends_on: string) {
  const latest = new Date()
  latest.setFullYear(latest.getFullYear() + MAX_YEARS)
  if (ends_on <= formatDateInServerTimeZone() || ends_on > formatDateInServerTimeZone(latest))
    throw createInvalidFieldError('ends_on', {
      en: `Enter a day in the future, at most ${MAX_YEARS} years from now.`,
      ja: `明日から${MAX_YEARS}年以内の日付を入力してください。`,
    })
}

async function requirePossibleChild(tx: Tx, id: number) {
  if ((await isAdmin(tx, id)) || (await isModerator(tx, id)))
    throw new HttpError(403, {
      en: 'An admin or a moderator cannot be a child. Remove these rights first.',
      ja: '管理者やモデレーターは、お子さまのアカウントにできません。先に権限を外してください。',
    })
  if (await countChildren(tx, id))
    throw new HttpError(403, {
      en: 'This member is a guardian, so the account cannot be a child’s.',
      ja: 'このメンバーは保護者なので、お子さまのアカウントにできません。',
    })
}

async function requirePossibleGuardian(tx: Tx, child: number, guardian: number) {
  const isPossible =
    guardian !== child &&
    (await hasMemberWithId(tx, guardian)) &&
    !(await isChildAccount(tx, guardian)) &&
    !(await isMemberSuspended(tx, guardian))
  if (!isPossible)
    throw createInvalidFieldError('guardians', {
      en: 'A guardian is another member who is neither a child nor suspended.',
      ja: '保護者にできるのは、お子さまのアカウントでも停止中でもない、ほかのメンバーです。',
    })
  if ((await countChildren(tx, guardian)) >= MAX_CHILDREN_OF_GUARDIAN)
    throw createInvalidFieldError('guardians', {
      en: `A member can be the guardian of at most ${MAX_CHILDREN_OF_GUARDIAN} children.`,
      ja: `1人が保護者になれるお子さまは${MAX_CHILDREN_OF_GUARDIAN}人までです。`,
    })
}

async function countChildren(tx: Tx, guardian: number) {
  const { count } = await tx
    .selectFrom('guardians')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('guardian_id', '=', guardian)
    .executeTakeFirstOrThrow()
  return Number(count)
}
