import type { AppContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { childAccounts, filterChildren, isChildAccount } from '#features/people/children.ts'
import * as visibility from '#features/people/visibility.ts'
import * as childMarks from './children.ts'
import type { ChildNoticeKind } from './contract.ts'

// A notice tells the guardians what the community told a child or did to it, such as a warning. It is deleted
// after a year.

const RETENTION = 365 * 24 * 3600_000

interface NewNotice {
  child: number
  kind: ChildNoticeKind
  text?: string | null
  ends_at?: string | null
}

/** Does nothing if the account is no child's. */
export async function add(tx: Tx, { child, kind, text = null, ends_at = null }: NewNotice) {
  if (!(await isChildAccount(tx, child))) return
  await tx
    .insertInto('child_notices')
    .values({ child_id: child, kind, text, ends_at, created_at: isoNow() })
    .execute()
}

export async function addGroupDeletion(tx: Tx, members: readonly number[], group: string | null) {
  const children = await filterChildren(tx, members)
  if (!children.length) return
  const notice = { kind: 'group_removed' as const, text: group, ends_at: null, created_at: isoNow() }
  await tx
    .insertInto('child_notices')
    .values(children.map((child_id) => ({ child_id, ...notice })))
    .execute()
}

const findLastSuspensionNotice = (tx: Tx, child: number) =>
  tx
    .selectFrom('child_notices')
    .select(['kind', 'text', 'ends_at'])
    .where('child_id', '=', child)
    .where('kind', 'in', ['suspended', 'unsuspended'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** `member.suspended` is also emitted when the suspension does not change: then it does nothing. */
export async function addSuspension(tx: Tx, child: number) {
  const suspension = await visibility.findSuspension(tx, child)
  const last = await findLastSuspensionNotice(tx, child)
  if (!suspension) return
  const { reason: text, ends_at } = suspension
  if (last?.kind === 'suspended' && last.text === text && last.ends_at === ends_at) return
  await add(tx, { child, kind: 'suspended', text, ends_at })
}

/** Only if they have a notice about the suspension. */
export async function addSuspensionEnd(tx: Tx, child: number) {
  if ((await findLastSuspensionNotice(tx, child))?.kind === 'suspended')
    await add(tx, { child, kind: 'unsuspended' })
}

/**
 * Notices and attempts after a year, ended marks, and contacts a year after the mark. That year begins when
 * this function first finds the account unmarked, and stores the time in `unmarked_at`.
 */
export async function deleteOld(context: AppContext, tx: Tx) {
  const limit = new Date(Date.now() - RETENTION).toISOString()
  await tx.deleteFrom('child_notices').where('created_at', '<', limit).execute()
  await tx.deleteFrom('child_attempts').where('last_at', '<', limit).execute()
  await childMarks.deleteEnded(context, tx)
  await tx.deleteFrom('child_contacts').where('unmarked_at', '<', limit).execute()
  await tx
    .updateTable('child_contacts')
    .set({ unmarked_at: isoNow() })
    .where('unmarked_at', 'is', null)
    .where('child_id', 'not in', childAccounts(tx).clearSelect().select('user_id'))
    .execute()
}
