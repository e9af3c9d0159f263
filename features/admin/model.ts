import { type RawBuilder, sql } from 'kysely'
import { readLastBackups } from '#core/backup/history.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import type { PageParameters } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import type { MediaService } from '#core/media/media.ts'
import type { FeatureStatistics } from '#core/statistics.ts'
import {
  type AccountRow,
  listAccountRows,
  lockAndCountAdmins,
  readAccountCounts,
  withLockedAccount,
} from '#features/people/accounts.ts'
import * as people from '#features/people/admins.ts'
import { toPersonWithSharesName } from '#features/people/read.ts'
import type { AdminStatistics, ManagedAccount } from './contract.ts'

// ── Accounts ────────────────────────────────────────────────────────────────

const toAccount = (media: MediaService, { admin, ...row }: AccountRow): ManagedAccount => ({
  ...toPersonWithSharesName(media, row),
  is_admin: Boolean(admin),
})

export async function listAccounts({ db, media }: AppContext, page: PageParameters & { q: string | null }) {
  const rows = await listAccountRows(db, page)
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => ({ userData: shown.map((row) => toAccount(media, row)) }),
  )
}

export async function grantAdminRights(context: MemberContext, id: number) {
  const account = await withLockedAccount(context, id, async (tx, { suspended_at }) => {
    if (suspended_at)
      throw new HttpError(403, {
        en: 'A suspended user cannot become an admin. Lift the suspension first.',
        ja: '停止中のユーザーは管理者にできません。先に停止を解除してください。',
      })
    await people.grantAdmin(tx, id, context.me.id)
  })
  return toAccount(context.media, account)
}

export async function revokeAdminRights(context: MemberContext, id: number) {
  const account = await withLockedAccount(context, id, async (tx, { admin }) => {
    if ((await lockAndCountAdmins(tx)) === 1 && admin)
      throw new HttpError(403, {
        en: 'This is the last admin. Make somebody else an admin first.',
        ja: '最後の管理者です。先にほかの人を管理者にしてください。',
      })
    await people.revokeAdmin(tx, id, context.me.id)
  })
  return toAccount(context.media, account)
}

export async function suspendAccount(context: MemberContext, id: number) {
  if (context.me.id === id)
    throw new HttpError(403, {
      en: 'You cannot suspend yourself.',
      ja: '自分自身を停止することはできません。',
    })
  const account = await withLockedAccount(context, id, async (tx, { admin }) => {
    if (admin)
      throw new HttpError(403, {
        en: 'Admins cannot be suspended. Remove their admin rights first.',
        ja: '管理者は停止できません。先に管理者の権限を外してください。',
      })
    await people.suspendMember(context, tx, id, context.me.id)
  })
  return toAccount(context.media, account)
}

export async function unsuspendAccount(context: MemberContext, id: number) {
  const account = await withLockedAccount(context, id, (tx) => people.unsuspendMember(context, tx, id))
  return toAccount(context.media, account)
}

// ── Statistics ───────────────────────────────────────────────────────────────────

const DAY = 24 * 3600 * 1000
const timeDaysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString()

/** Merges the statistics of all running features. Fields of features that do not run are 0. */
export async function readAdminStatistics(
  db: Db,
  nightly: boolean,
  statistics: readonly FeatureStatistics[],
): Promise<AdminStatistics> {
  const since = timeDaysAgo(1)
  const accounts = await readAccountCounts(db, timeDaysAgo(7))
  const counts = {}
  for (const { counts: count } of statistics) Object.assign(counts, await count(db, since))
  const wrote_today = await countAuthors(
    db,
    statistics.map(({ authors }) => authors(since)),
  )
  const backup = { nightly, ...(await readLastBackups(db)) }
  return {
    members: accounts.total,
    members_this_week: accounts.recent,
    groups: 0,
    posts_today: 0,
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
