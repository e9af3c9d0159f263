import { type RawBuilder, sql } from 'kysely'
import { recordAuditLogEntry } from '#core/audit-log/audit-log.ts'
import { readLastBackupResults } from '#core/backup/history.ts'
import type { CommunitySettingsStore } from '#core/community-settings.ts'
import type { MemberContext } from '#core/context.ts'
import { fillChannelNameParameters, type Language, type PaginationParameters } from '#core/contract.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError, HttpError } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import type { FeatureStatisticsFunctions } from '#core/statistics.ts'
import {
  readAccountDeletionRequestsByAccountId,
  wouldCommunityHaveAdminAfterAccountDeletion,
} from '#features/account/deletion.ts'
import { enqueueSecurityMail } from '#features/account/notices.ts'
import { filterMemberIdsWithAuthenticatorApp } from '#features/account/one-time-codes.ts'
import { createPasswordResetCode } from '#features/account/password-resets.ts'
import { removeAuthenticatorAppOfAccount } from '#features/account/second-step.ts'
import { isSessionProtectedBySecondStep } from '#features/account/second-step-rule.ts'
import { createLogInCardNotUsedYetError, hasUnusedLogInCard } from '#features/cards/cards.ts'
import { readChildAccountMarksByAccountIdForAdmins } from '#features/guardians/read.ts'
import {
  type AccountRowForAdmins,
  changeAndReadAccountWithRowLock,
  countAllAndRecentAccounts,
  listAccountRowsForAdmins,
} from '#features/people/accounts.ts'
import * as people from '#features/people/admins.ts'
import { createChildCannotHaveRoleError, isChildAccount } from '#features/people/children.ts'
import { peopleChannelDefinitions } from '#features/people/contract.ts'
import { requireNotExampleMember } from '#features/people/examples.ts'
import { toPersonWithLookalikeNameFlag } from '#features/people/read.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { readInvitersByMemberId } from '#features/registration/invited-members.ts'
import type { AdminStatistics, ManagedAccount } from './contract.ts'
import { postponeRemovalsAfterRetentionChange } from './retention.ts'

// The functions below list and change accounts for admins.

/** The context of a request by an admin. `lang` is the language of the admin. */
type AdminContext = MemberContext & { lang: Language }

/**
 * Returns the language for a mail to a member whose own language is unknown: that of the community, or else
 * that of the admin.
 */
const chooseNoticeLanguage = ({ settings, lang }: AdminContext) => settings.current().default_language ?? lang

/**
 * Converts rows of accounts to the accounts that admins see. Adds the fields that other features store: the
 * second step of the log-in, the requested deletion, the inviter, and the mark of a child's account.
 */
async function toAccounts(
  context: MemberContext,
  rows: readonly AccountRowForAdmins[],
): Promise<ManagedAccount[]> {
  const { db, media } = context
  const ids = rows.map(({ id }) => id)
  const withSecondStep = await filterMemberIdsWithAuthenticatorApp(db, ids)
  const deletions = await readAccountDeletionRequestsByAccountId(db, ids)
  const inviters = await readInvitersByMemberId(context, ids)
  const childMarks = await readChildAccountMarksByAccountIdForAdmins(context, ids)
  return rows.map(({ admin, ...row }) => ({
    ...toPersonWithLookalikeNameFlag(media, row),
    is_admin: Boolean(admin),
    has_second_step: withSecondStep.has(row.id),
    deletion: deletions.get(row.id) ?? null,
    child: childMarks.get(row.id) ?? null,
    invited_by: inviters.get(row.id) ?? null,
  }))
}

/**
 * Changes an account with `change` while its row is locked, and returns the changed account as admins see it.
 */
export async function changeAndReadManagedAccount(
  context: MemberContext,
  id: number,
  change: (tx: Tx, account: AccountRowForAdmins) => Promise<unknown>,
) {
  const [account] = await toAccounts(context, [await changeLockedAccount(context, id, change)])
  return account!
}

/**
 * Runs `change` while the row of the account is locked and the current user is still an admin; otherwise
 * throws 403. Returns the row of the account after the change.
 */
const changeLockedAccount = (
  context: MemberContext,
  id: number,
  change: (tx: Tx, account: AccountRowForAdmins) => Promise<unknown>,
) =>
  changeAndReadAccountWithRowLock(context, id, async (tx, account) => {
    await people.requireAdmin(tx, context.me.id)
    await change(tx, account)
  })

/**
 * Returns a page of accounts. Without `with_email`, leaves the e-mail addresses out and does not search in
 * them: a session that was confirmed long ago may be stolen.
 */
export async function listManagedAccounts(
  context: MemberContext,
  page: PaginationParameters & { q: string | null },
  with_email: boolean,
) {
  const rows = await listAccountRowsForAdmins(context.db, { ...page, by_email: with_email })
  const all = await toAccounts(context, rows)
  const accounts = with_email ? all : all.map(hideEmail)
  return toPagedResponse(
    accounts,
    page.limit,
    (last) => ({ after: last.id }),
    (userData) => ({ userData }),
  )
}

const hideEmail = (account: ManagedAccount): ManagedAccount =>
  account.email === null ? account : { ...account, email: null, has_hidden_email: true }

export async function grantAdminRightsAndMailMember(context: AdminContext, id: number) {
  return changeAndReadManagedAccount(context, id, async (tx, { admin, suspended_at }) => {
    if (suspended_at)
      throw new HttpError(403, {
        en: 'A suspended user cannot become an admin. Lift the suspension first.',
        ja: '停止中のユーザーは管理者にできません。先に停止を解除してください。',
      })
    if (await hasUnusedLogInCard(tx, id)) throw createLogInCardNotUsedYetError()
    if (await isChildAccount(tx, id)) throw createChildCannotHaveRoleError()
    await requireNotExampleMember(tx, id)
    if ((await people.grantAdmin(tx, id, context.me.id)) && !admin)
      await enqueueSecurityMail(context, tx, {
        user: id,
        kind: 'admin_granted',
        lang: chooseNoticeLanguage(context),
      })
  })
}

export async function revokeAdminRightsAndMailMember(context: AdminContext, id: number) {
  return changeAndReadManagedAccount(context, id, async (tx) => {
    if (!(await wouldCommunityHaveAdminAfterAccountDeletion(tx, id)))
      throw new HttpError(403, {
        en: 'This is the last admin. Make somebody else an admin first.',
        ja: '最後の管理者です。先にほかの人を管理者にしてください。',
      })
    if (await people.revokeAdmin(tx, id, context.me.id))
      await enqueueSecurityMail(context, tx, {
        user: id,
        kind: 'admin_revoked',
        lang: chooseNoticeLanguage(context),
      })
  })
}

export async function suspendAccount(context: MemberContext, id: number) {
  if (context.me.id === id)
    throw new HttpError(403, {
      en: 'You cannot suspend yourself.',
      ja: '自分自身を停止することはできません。',
    })
  return changeAndReadManagedAccount(context, id, async (tx, { admin }) => {
    requireNotAdminToSuspend(admin)
    await people.suspendMember(context, tx, id, context.me.id)
  })
}

/** Throws 403 for an admin, whom neither another admin nor the operator can suspend. */
export function requireNotAdminToSuspend(admin: unknown) {
  if (admin)
    throw new HttpError(403, {
      en: 'Admins cannot be suspended. Remove their admin rights first.',
      ja: '管理者は停止できません。先に管理者の権限を外してください。',
    })
}

export const unsuspendAccount = (context: MemberContext, id: number) =>
  changeAndReadManagedAccount(context, id, (tx) => people.unsuspendMember(context, tx, id, context.me.id))

/**
 * Turns off the authenticator app of a member, and tells the member by mail. Throws 403 if the member is an
 * admin, or was one in the last seven days: otherwise one admin, or a thief of an admin's session, could take
 * over the account of another admin.
 */
export async function removeAuthenticatorAppAsAdmin(context: AdminContext, id: number) {
  return changeAndReadManagedAccount(context, id, async (tx) => {
    await requireNoRecentAdmin(tx, id)
    if (!(await removeAuthenticatorAppOfAccount(tx, id, { actor_id: context.me.id }))) return
    const kind = 'second_step_removed_by_admin'
    await enqueueSecurityMail(context, tx, { user: id, kind, lang: chooseNoticeLanguage(context) })
  })
}

/** Throws 403 if the account belongs to an admin, or to a member who was an admin in the last seven days. */
async function requireNoRecentAdmin(tx: Tx, id: number) {
  if (await people.isAdminNowOrRecently(tx, id))
    throw new HttpError(403, {
      en: 'Admins cannot open the account of an admin. This ends seven days after the admin rights are removed.',
      ja: '管理者は、ほかの管理者のアカウントを開くことはできません。権限を外してから7日間も同じです。',
    })
}

// The functions below change the settings of the community, and create codes for new passwords.

/**
 * Saves settings of the community. Throws 422 if an admin turns on `admins_need_second_step` in a session
 * without a second step, because otherwise perhaps no admin could turn it off again.
 */
export const saveCommunitySettings = (
  { db, me, settings, session, realtime, config }: MemberContext & { session: { token: string } },
  changes: Parameters<CommunitySettingsStore['save']>[1],
) =>
  transaction(db, async (tx) => {
    await people.requireAdmin(tx, me.id)
    if (changes.admins_need_second_step && !(await isSessionProtectedBySecondStep(tx, session.token)))
      throw createInvalidFieldError('admins_need_second_step', {
        en: 'Set up a second step for your own account first, or log in with a passkey.',
        ja: '先に、ご自身のアカウントで2段階認証を設定するか、パスキーでログインしてください。',
      })
    await postponeRemovalsAfterRetentionChange(tx, { config }, changes)
    await settings.save(tx, changes)
    const { accent_colour } = changes
    if (accent_colour !== undefined)
      tx.afterCommit(() =>
        realtime.broadcast([fillChannelNameParameters(peopleChannelDefinitions.online)], 'LookChanged', {
          accent_colour,
        }),
      )
    await recordAuditLogEntry(tx, {
      action: 'settings_changed',
      subject: 'settings',
      actor_id: me.id,
      detail: changes,
    })
  })

/**
 * Creates a code with which a member sets a new password, and returns the code and a link that contains it.
 * Throws 403 if the member is an admin, or was one in the last seven days: otherwise one admin could take
 * over the account of another. Admins reset their own passwords by mail or with a recovery code. Also throws
 * 403 if the member is suspended or an example member, or has not used the log-in card yet.
 */
export async function createPasswordResetCodeAndLinkAsAdmin(context: AdminContext, id: number) {
  let code = ''
  const { handle } = await changeLockedAccount(context, id, async (tx, { suspended_at }) => {
    await requireNoRecentAdmin(tx, id)
    if (await hasUnusedLogInCard(tx, id)) throw createLogInCardNotUsedYetError()
    await requireNotExampleMember(tx, id)
    if (suspended_at)
      throw new HttpError(403, {
        en: 'This user is suspended. Lift the suspension first.',
        ja: 'このユーザーは停止中です。先に停止を解除してください。',
      })
    code = await createPasswordResetCode(tx, id)
    await recordSecurityEvent(tx, id, 'reset_code_created', { actor_id: context.me.id })
    await enqueueSecurityMail(context, tx, {
      user: id,
      kind: 'reset_code_created',
      lang: chooseNoticeLanguage(context),
    })
  })
  const proof = new URLSearchParams({ handle, code })
  return { code, link: `${context.publicSite.origin}/reset-password#${proof}` }
}

// The functions below read the numbers on the admin dashboard.

const DAY = 24 * 3600 * 1000
const timeDaysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString()

/**
 * Returns the numbers on the admin dashboard: those of all running features, merged. The numbers of features
 * that do not run are 0.
 */
export async function readAdminStatistics(
  db: Db,
  nightly: boolean,
  statistics: readonly FeatureStatisticsFunctions[],
): Promise<AdminStatistics> {
  const since = timeDaysAgo(1)
  const accounts = await countAllAndRecentAccounts(db, timeDaysAgo(7))
  const counts = {}
  for (const { counts: count } of statistics) Object.assign(counts, await count(db, since))
  const wrote_today = await countAuthors(
    db,
    statistics.flatMap(({ authors }) => authors?.(since) ?? []),
  )
  const backup = { nightly, ...(await readLastBackupResults(db)) }
  return {
    members: accounts.total,
    members_this_week: accounts.recent,
    groups: 0,
    posts_today: 0,
    waiting_requests: 0,
    ...counts,
    wrote_today,
    backup,
  }
}

async function countAuthors(db: Db, queries: readonly RawBuilder<{ user_id: number }>[]) {
  if (!queries.length) return 0
  const all = sql.join(queries, sql` union all `)
  const { rows } = await sql<{ count: number }>`
    select count(distinct user_id) as count from (${all}) as authors`.execute(db)
  return rows[0]!.count
}
