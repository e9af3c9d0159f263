import { type RawBuilder, sql } from 'kysely'
import { lastBackups } from '#core/backup/history.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import type { PageParams } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { Media } from '#core/media/media.ts'
import type { Statistics } from '#core/statistics.ts'
import {
  type AccountRow,
  changeAccount,
  countAccounts,
  findAccounts,
  lockAdmins,
} from '#features/people/accounts.ts'
import * as people from '#features/people/model.ts'
import { withAvatar, withDistinct } from '#features/people/read.ts'
import type { Account, Facts } from './contract.ts'

// ── Accounts ────────────────────────────────────────────────────────────────

const toAccount = (media: Media, { admin, ...row }: AccountRow): Account => ({
  ...withAvatar(media, withDistinct(row)),
  is_admin: Boolean(admin),
})

export async function users({ db, media }: AppContext, page: PageParams & { q: string | null }) {
  const rows = await findAccounts(db, page)
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => ({ userData: shown.map((row) => toAccount(media, row)) }),
  )
}

export async function grant(context: MemberContext, id: number) {
  const account = await changeAccount(context, id, async (tx, { suspended_at }) => {
    if (suspended_at)
      throw new HttpError(403, {
        en: 'Somebody suspended cannot become an admin. Let them back in first.',
        ja: '停止中のユーザーは管理者にできません。先に停止を解除してください。',
      })
    await people.grantAdmin(tx, id, context.me.id)
  })
  return toAccount(context.media, account)
}

export async function revoke(context: MemberContext, id: number) {
  const account = await changeAccount(context, id, async (tx, { admin }) => {
    if ((await lockAdmins(tx)) === 1 && admin)
      throw new HttpError(403, {
        en: 'This is the last admin. Make somebody else an admin first.',
        ja: '最後の管理者です。先にほかの人を管理者にしてください。',
      })
    await people.revokeAdmin(tx, id, context.me.id)
  })
  return toAccount(context.media, account)
}

export async function suspend(context: MemberContext, id: number) {
  if (context.me.id === id)
    throw new HttpError(403, {
      en: 'You cannot suspend yourself.',
      ja: '自分自身を停止することはできません。',
    })
  const account = await changeAccount(context, id, async (tx, { admin }) => {
    if (admin)
      throw new HttpError(403, {
        en: 'An admin cannot be suspended. Remove the admin right first.',
        ja: '管理者は停止できません。先に管理者の権限を外してください。',
      })
    await people.suspend(context, tx, id, context.me.id)
  })
  return toAccount(context.media, account)
}

export async function unsuspend(context: MemberContext, id: number) {
  const account = await changeAccount(context, id, (tx) => people.unsuspend(context, tx, id))
  return toAccount(context.media, account)
}

// ── Facts ───────────────────────────────────────────────────────────────────

const DAY = 24 * 3600 * 1000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString()

/** Adds up what the running features count. A field of a feature that does not run is 0. */
export async function facts(db: Db, nightly: boolean, statistics: readonly Statistics[]): Promise<Facts> {
  const since = daysAgo(1)
  const accounts = await countAccounts(db, daysAgo(7))
  const counts = {}
  for (const { counts: count } of statistics) Object.assign(counts, await count(db, since))
  const wrote_today = await countAuthors(
    db,
    statistics.map(({ authors }) => authors(since)),
  )
  const backup = { nightly, ...(await lastBackups(db)) }
  return {
    members: accounts.all,
    members_this_week: accounts.new,
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
