import { type RawBuilder, sql } from 'kysely'
import * as auditLog from '#core/audit-log/audit-log.ts'
import * as backupHistory from '#core/backup/history.ts'
import type { SettingsStore } from '#core/community/settings.ts'
import type { Statistics } from '#core/community/statistics.ts'
import type { MemberContext } from '#core/context.ts'
import { fillChannel, type Language } from '#core/contract.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as accountDeletions from '#features/account/deletion.ts'
import { sendSecurityMail } from '#features/account/notices.ts'
import * as oneTimeCodes from '#features/account/one-time-codes.ts'
import * as resets from '#features/account/password-resets.ts'
import { turnOffSecondStep } from '#features/account/second-step.ts'
import { isSessionProtected } from '#features/account/second-step-rule.ts'
import * as logInCards from '#features/cards/cards.ts'
import * as guardianship from '#features/guardians/read.ts'
import * as reports from '#features/moderation/waiting.ts'
import * as tasks from '#features/notifications/tasks.ts'
import * as groupRequests from '#features/open-groups/telling.ts'
import type { AccountRow } from '#features/people/accounts.ts'
import * as memberAccounts from '#features/people/accounts.ts'
import * as people from '#features/people/admins.ts'
import * as announcers from '#features/people/announcers.ts'
import { childRoleError, isChildAccount } from '#features/people/children.ts'
import { peopleChannels } from '#features/people/contract.ts'
import { countUnverified } from '#features/people/credentials.ts'
import { requireNotExample } from '#features/people/examples.ts'
import * as persons from '#features/people/read.ts'
import * as securityLog from '#features/people/security-log.ts'
import { getInviters } from '#features/registration/invited-members.ts'
import * as joinNotices from '#features/registration/join-request-notices.ts'
import type { Figures, ManagedAccount } from './contract.ts'
import * as retentions from './retention.ts'

/** `lang` is the language of the admin. */
type AdminContext = MemberContext & { lang: Language }

/** For mails to a member whose own language is unknown. */
const chooseNoticeLanguage = ({ settings, lang }: AdminContext) => settings.current().default_language ?? lang

/** Adds what other features store: second step, requested deletion, inviter, and the mark of a child. */
async function toAccounts(context: MemberContext, rows: readonly AccountRow[]): Promise<ManagedAccount[]> {
  const { db, media } = context
  const ids = rows.map(({ id }) => id)
  const withSecondStep = await oneTimeCodes.filterMembers(db, ids)
  const deletions = await accountDeletions.byAccount(db, ids)
  const inviters = await getInviters(context, ids)
  const childMarks = await guardianship.getAdminMarks(context, ids)
  return rows.map(({ admin, announcer, ...row }) => ({
    ...persons.withNameFlag(media, row),
    is_admin: Boolean(admin),
    ...(announcer && { is_announcer: true as const }),
    has_second_step: withSecondStep.has(row.id),
    deletion: deletions.get(row.id) ?? null,
    child: childMarks.get(row.id) ?? null,
    invited_by: inviters.get(row.id) ?? null,
  }))
}

/** Runs `change` while the row is locked. */
export async function changeAccount(
  context: MemberContext,
  id: number,
  change: (tx: Tx, account: AccountRow) => Promise<unknown>,
) {
  const [account] = await toAccounts(context, [await changeLocked(context, id, change)])
  return account!
}

/** 403 if the current user is no admin any more under the lock. */
const changeLocked = (
  context: MemberContext,
  id: number,
  change: (tx: Tx, account: AccountRow) => Promise<unknown>,
) =>
  memberAccounts.change(context, id, async (tx, account) => {
    await people.requireAdmin(tx, context.me.id)
    await change(tx, account)
  })

/** Without `with_email`, leaves addresses out and does not search in them: an old session may be stolen. */
export async function list(
  context: MemberContext,
  page: PageParams & { q: string | null },
  with_email: boolean,
) {
  const rows = await memberAccounts.list(context.db, { ...page, by_email: with_email })
  const all = await toAccounts(context, rows)
  const accounts = with_email ? all : all.map(hideEmail)
  return paged(
    accounts,
    page.limit,
    (last) => ({ after: last.id }),
    (userData) => ({ userData }),
  )
}

const hideEmail = (account: ManagedAccount): ManagedAccount =>
  account.email === null ? account : { ...account, email: null, has_hidden_email: true }

/** Requests to join of which a new admin is told. */
const MAX_WAITING = 100

export async function grantAdmin(context: AdminContext, id: number) {
  return changeAccount(context, id, async (tx, { admin, suspended_at }) => {
    if (suspended_at)
      throw new HttpError(403, {
        en: 'A suspended user cannot become an admin. Lift the suspension first.',
        ja: '利用停止中のメンバーは管理者にできません。先に利用停止を解除してください。',
      })
    if (await logInCards.hasUnused(tx, id)) throw logInCards.notUsedYet()
    if (await isChildAccount(tx, id)) throw childRoleError()
    await requireNotExample(tx, id)
    if (!(await people.grantAdmin(tx, id, context.me.id)) || admin) return
    await sendSecurityMail(context, tx, {
      user: id,
      kind: 'admin_granted',
      lang: chooseNoticeLanguage(context),
    })
    await reports.tellNew(context, tx, id)
    for (const { id: source } of await joinNotices.listWaiting(tx, MAX_WAITING))
      await tasks.add(context, tx, [id], { kind: 'join_request', source })
    await groupRequests.tellNewAdmin(context, tx, id)
  })
}

export async function revokeAdmin(context: AdminContext, id: number) {
  return changeAccount(context, id, async (tx) => {
    if (!(await accountDeletions.leavesAdmin(tx, id)))
      throw new HttpError(403, {
        en: 'This is the last admin. Make somebody else an admin first.',
        ja: '最後の管理者です。先にほかの人を管理者にしてください。',
      })
    if (await people.revokeAdmin(tx, id, context.me.id))
      await sendSecurityMail(context, tx, {
        user: id,
        kind: 'admin_revoked',
        lang: chooseNoticeLanguage(context),
      })
  })
}

/** 403 before the log-in card was used: a finder of the card would have the right. */
export const trust = (context: MemberContext, id: number) =>
  changeAccount(context, id, async (tx) => {
    if (await logInCards.hasUnused(tx, id)) throw logInCards.notUsedYet()
    await announcers.grant(tx, id, context.me.id)
  })

export const distrust = (context: MemberContext, id: number) =>
  changeAccount(context, id, (tx) => announcers.revoke(tx, id, context.me.id))

export async function suspend(context: MemberContext, id: number) {
  if (context.me.id === id)
    throw new HttpError(403, {
      en: 'You cannot suspend yourself.',
      ja: 'ご自身の利用を停止することはできません。',
    })
  return changeAccount(context, id, async (tx, { admin }) => {
    requireSuspendable(admin)
    await people.suspendMember(context, tx, id, context.me.id)
  })
}

/** 403: neither another admin nor the operator can suspend an admin. */
export function requireSuspendable(admin: unknown) {
  if (admin)
    throw new HttpError(403, {
      en: 'Admins cannot be suspended. Remove their admin rights first.',
      ja: '管理者の利用は停止できません。先に管理者の権限を外してください。',
    })
}

export const unsuspend = (context: MemberContext, id: number) =>
  changeAccount(context, id, (tx) => people.unsuspendMember(context, tx, id, context.me.id))

/** Mails the member. 403 for admins of the last seven days: a thief of a session could take over another. */
export async function removeSecondStep(context: AdminContext, id: number) {
  return changeAccount(context, id, async (tx) => {
    await requireNoRecentAdmin(tx, id)
    if (!(await turnOffSecondStep(tx, id, { actor_id: context.me.id }))) return
    const kind = 'second_step_removed_by_admin'
    await sendSecurityMail(context, tx, { user: id, kind, lang: chooseNoticeLanguage(context) })
  })
}

/** 403 for admins, and for members who were admins in the last seven days. */
async function requireNoRecentAdmin(tx: Tx, id: number) {
  if (await people.isRecentAdmin(tx, id))
    throw new HttpError(403, {
      en: 'Admins cannot open the account of an admin. This ends seven days after the admin rights are removed.',
      ja: 'ほかの管理者のアカウントに入るためのコードなどは作れません。管理者から外れた人も、7日間は同じです。',
    })
}

/** 422 if a session without one turns on `admins_need_second_step`: perhaps nobody could undo it. */
export const saveSettings = (
  { db, me, settings, session, realtime, config }: MemberContext & { session: { token: string } },
  changes: Parameters<SettingsStore['save']>[1],
) =>
  transaction(db, async (tx) => {
    await people.requireAdmin(tx, me.id)
    if (changes.admins_need_second_step && !(await isSessionProtected(tx, session.token)))
      throw fieldError('admins_need_second_step', {
        en: 'Set up a second step for your own account first, or log in with a passkey.',
        ja: '先に、ご自身のアカウントで2段階認証を設定するか、パスキーでログインしてください。',
      })
    await retentions.postpone(tx, { config }, changes)
    await settings.save(tx, changes)
    const { accent_colour } = changes
    if (accent_colour !== undefined)
      tx.afterCommit(() =>
        realtime.broadcast([fillChannel(peopleChannels.online)], 'LookChanged', {
          accent_colour,
        }),
      )
    await auditLog.record(tx, {
      action: 'settings_changed',
      subject: 'settings',
      actor_id: me.id,
      detail: changes,
    })
  })

/**
 * 403 for admins of the last seven days, who reset passwords by mail or recovery code: otherwise one admin
 * could take over the account of another. Also 403 for members who are suspended, examples, or have not used
 * their log-in card.
 */
export async function createResetCode(context: AdminContext, id: number) {
  let code = ''
  const { handle } = await changeLocked(context, id, async (tx, { suspended_at }) => {
    await requireNoRecentAdmin(tx, id)
    if (await logInCards.hasUnused(tx, id)) throw logInCards.notUsedYet()
    await requireNotExample(tx, id)
    if (suspended_at)
      throw new HttpError(403, {
        en: 'This user is suspended. Lift the suspension first.',
        ja: 'このメンバーは利用停止中です。先に利用停止を解除してください。',
      })
    code = await resets.createCode(tx, id)
    await securityLog.record(tx, id, 'reset_code_created', { actor_id: context.me.id })
    await sendSecurityMail(context, tx, {
      user: id,
      kind: 'reset_code_created',
      lang: chooseNoticeLanguage(context),
    })
  })
  const proof = new URLSearchParams({ handle, code })
  return { code, link: `${context.publicSite.origin}/reset-password#${proof}` }
}

const DAY = 24 * 3600 * 1000
const timeDaysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString()

export async function getStatistics(
  { db, config }: Pick<MemberContext, 'db' | 'config'>,
  statistics: readonly Statistics[],
): Promise<Figures> {
  const since = timeDaysAgo(1)
  const accounts = await memberAccounts.count(db, timeDaysAgo(7))
  const counts = {}
  for (const { counts: count } of statistics) Object.assign(counts, await count(db, since))
  const wrote_today = await countAuthors(
    db,
    statistics.flatMap(({ authors }) => authors?.(since) ?? []),
  )
  const backup = { nightly: config.BACKUP_AT !== null, ...(await backupHistory.lastResults(db)) }
  return {
    members: accounts.total,
    members_this_week: accounts.recent,
    groups: 0,
    posts_today: 0,
    waiting_requests: 0,
    open_reports: 0,
    unverified_addresses: config.SMTP_URL ? 0 : await countUnverified(db),
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
