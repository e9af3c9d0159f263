import * as auditLog from '#core/audit-log/audit-log.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import { lockExclusively } from '#features/people/blocks.ts'
import {
  childAccounts,
  deleteEndedMarks,
  isChildAccount,
  listEndedMarks,
  markChild,
  serverDate,
  unmarkChild,
} from '#features/people/children.ts'
import { hasMember } from '#features/people/deletion.ts'
import { isModerator } from '#features/people/moderators.ts'
import * as people from '#features/people/read.ts'
import * as visibility from '#features/people/visibility.ts'
import * as childContacts from './contacts.ts'
import { MAX_CHILDREN } from './contract.ts'
import * as waiting from './waiting.ts'

// The callers have checked that the current member is an admin.

interface NewMark {
  id: number
  /** One or two. */
  guardians: readonly number[]
  ends_on: string
}

/** The longest time for which an admin can mark an account. */
const MAX_YEARS = 25

/** 403 for an admin, a moderator or a guardian, 422 for a wrong guardian or day. */
export async function save(context: MemberContext, tx: Tx, { id, guardians, ends_on }: NewMark) {
  requirePossibleEnd(ends_on)
  const wanted = [...new Set(guardians)].sort((a, b) => a - b)
  // Until the commit: other changes of follows, messages, rights or marks of these members wait.
  await lockExclusively(tx, [id, ...wanted])
  await deleteEnded(context, tx)
  const before = await childAccounts(tx).where('user_id', '=', id).executeTakeFirst()
  const old = before ? await listGuardianIds(tx, id) : []
  const added = wanted.filter((guardian) => !old.includes(guardian))
  const removed = old.filter((guardian) => !wanted.includes(guardian))
  if (before?.ends_on === ends_on && !added.length && !removed.length) return
  if (!before) await requirePossibleChild(tx, id)
  for (const guardian of added) await requirePossibleGuardian(tx, id, guardian)
  await markChild(tx, { user_id: id, ends_on, created_by: context.me.id })
  if (removed.length)
    await tx.deleteFrom('guardians').where('child_id', '=', id).where('guardian_id', 'in', removed).execute()
  for (const guardian_id of added)
    await tx
      .insertInto('guardians')
      .values({ child_id: id, guardian_id, seen_at: null, created_at: isoNow() })
      .execute()
  await childContacts.removeGuardians(tx, id)
  // Ends the subscriptions to channels that children do not get.
  if (!before) tx.afterCommit(() => context.realtime.recheckGuards(id))
  if (!before) await childContacts.allowExisting(context, tx, id)
  else await childContacts.pause(context, tx, [id], removed)
  await waiting.sync(context, tx, id)
  await auditLog.record(tx, {
    action: before ? 'child_changed' : 'child_marked',
    subject: 'member',
    subject_id: id,
    actor_id: context.me.id,
    detail: { guardians: wanted, ends_on },
  })
}

/** Records it in the audit log. Rows in `child_contacts` stay for a later mark. */
export async function end(context: MemberContext, tx: Tx, id: number) {
  await lockExclusively(tx, [id])
  const guardians = await listGuardianIds(tx, id)
  if (!(await unmarkChild(tx, id))) return
  await waiting.sync(context, tx, id)
  await auditLog.record(tx, {
    action: 'child_ended',
    subject: 'member',
    subject_id: id,
    actor_id: context.me.id,
    detail: { guardians },
  })
}

/** From the day `ends_on` on. The audit log names the system. */
export async function deleteEnded(context: AppContext, tx: Tx) {
  const ended = await listEndedMarks(tx)
  if (!ended.length) return
  const rows = await tx
    .selectFrom('guardians')
    .select(['child_id', 'guardian_id'])
    .where('child_id', 'in', ended)
    .orderBy('guardian_id')
    .execute()
  const guardians = Map.groupBy(rows, ({ child_id }) => child_id)
  for (const id of await deleteEndedMarks(tx, ended)) {
    await waiting.sync(context, tx, id)
    await auditLog.record(tx, {
      action: 'child_ended',
      subject: 'member',
      subject_id: id,
      role: 'system',
      detail: { guardians: (guardians.get(id) ?? []).map(({ guardian_id }) => guardian_id) },
    })
  }
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
  if (ends_on <= serverDate() || ends_on > serverDate(latest))
    throw fieldError('ends_on', {
      en: `Enter a day in the future, at most ${MAX_YEARS} years from now.`,
      ja: `明日から${MAX_YEARS}年以内の日付を入力してください。`,
    })
}

async function requirePossibleChild(tx: Tx, id: number) {
  if ((await people.isAdmin(tx, id)) || (await isModerator(tx, id)))
    throw new HttpError(403, {
      en: 'An admin or a moderator cannot be a child. Remove these rights first.',
      ja: '管理者やモデレーターは、子どものアカウントにできません。先に権限を外してください。',
    })
  if (await countChildren(tx, id))
    throw new HttpError(403, {
      en: 'This member is a guardian, so the account cannot be a child’s.',
      ja: 'このメンバーは保護者なので、子どものアカウントにできません。',
    })
}

async function requirePossibleGuardian(tx: Tx, child: number, guardian: number) {
  const isPossible =
    guardian !== child &&
    (await hasMember(tx, guardian)) &&
    !(await isChildAccount(tx, guardian)) &&
    !(await visibility.isSuspended(tx, guardian))
  if (!isPossible)
    throw fieldError('guardians', {
      en: 'A guardian is another member who is neither a child nor suspended.',
      ja: '保護者にできるのは、ほかのメンバーです。子どものアカウントと、利用停止中の人は選べません。',
    })
  if ((await countChildren(tx, guardian)) >= MAX_CHILDREN)
    throw fieldError('guardians', {
      en: `A member can be the guardian of at most ${MAX_CHILDREN} children.`,
      ja: `1人が保護者になれる子どもは${MAX_CHILDREN}人までです。`,
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
