import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { buildChildAccountsQuery, filterChildAccountIds, isChildAccount } from '#features/people/children.ts'
import { findSuspension } from '#features/people/visibility.ts'
import { deleteAndLogEndedChildAccountMarks } from './children.ts'
import type { NoticeAboutChildKind } from './contract.ts'

// A notice tells the guardians what the community told a child or did to it, such as a warning. It is deleted
// after a year.

const RETENTION = 365 * 24 * 3600_000

interface NewNotice {
  child: number
  kind: NoticeAboutChildKind
  text?: string | null
  ends_at?: string | null
}

/** Stores a notice for the guardians of a child. Does nothing if the account is no child's. */
export async function recordNoticeAboutChild(
  tx: Tx,
  { child, kind, text = null, ends_at = null }: NewNotice,
) {
  if (!(await isChildAccount(tx, child))) return
  await tx
    .insertInto('child_notices')
    .values({ child_id: child, kind, text, ends_at, created_at: currentIsoTime() })
    .execute()
}

/**
 * For each child among the members of a deleted group, stores a notice for the guardians that the child is no
 * longer in the group.
 */
export async function recordGroupDeletionNoticesAboutChildren(
  tx: Tx,
  members: readonly number[],
  group: string | null,
) {
  const children = await filterChildAccountIds(tx, members)
  if (!children.length) return
  const notice = { kind: 'group_removed' as const, text: group, ends_at: null, created_at: currentIsoTime() }
  await tx
    .insertInto('child_notices')
    .values(children.map((child_id) => ({ child_id, ...notice })))
    .execute()
}

/**
 * Returns the newest notice about a suspension, or the end of a suspension, of a child; undefined if there is
 * none.
 */
const findLastSuspensionNotice = (tx: Tx, child: number) =>
  tx
    .selectFrom('child_notices')
    .select(['kind', 'text', 'ends_at'])
    .where('child_id', '=', child)
    .where('kind', 'in', ['suspended', 'unsuspended'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * Stores a notice for guardians about the suspension of their child. Does nothing if the newest notice is
 * about the same suspension: the event `member.suspended` is also emitted when the suspension does not
 * change.
 */
export async function recordSuspensionNoticeAboutChild(tx: Tx, child: number) {
  const suspension = await findSuspension(tx, child)
  const last = await findLastSuspensionNotice(tx, child)
  if (!suspension) return
  const { reason: text, ends_at } = suspension
  if (last?.kind === 'suspended' && last.text === text && last.ends_at === ends_at) return
  await recordNoticeAboutChild(tx, { child, kind: 'suspended', text, ends_at })
}

/**
 * Stores a notice for guardians about the end of their child's suspension, if they have a notice about the
 * suspension.
 */
export async function recordSuspensionEndNoticeAboutChild(tx: Tx, child: number) {
  if ((await findLastSuspensionNotice(tx, child))?.kind === 'suspended')
    await recordNoticeAboutChild(tx, { child, kind: 'unsuspended' })
}

/**
 * Deletes notices and attempts that are older than a year, the marks of children that have ended, and the
 * contacts of accounts that have not been a child's for a year. That year begins when this function first
 * finds that the account is no longer a child's: it then stores the current time in `unmarked_at` of the
 * contacts.
 */
export async function deleteOldChildNoticesMarksAndContacts(tx: Tx) {
  const limit = new Date(Date.now() - RETENTION).toISOString()
  await tx.deleteFrom('child_notices').where('created_at', '<', limit).execute()
  await tx.deleteFrom('child_attempts').where('last_at', '<', limit).execute()
  await deleteAndLogEndedChildAccountMarks(tx)
  await tx.deleteFrom('child_contacts').where('unmarked_at', '<', limit).execute()
  await tx
    .updateTable('child_contacts')
    .set({ unmarked_at: currentIsoTime() })
    .where('unmarked_at', 'is', null)
    .where('child_id', 'not in', buildChildAccountsQuery(tx).clearSelect().select('user_id'))
    .execute()
}
