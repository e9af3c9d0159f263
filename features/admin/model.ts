import { type RawBuilder, sql } from 'kysely'
import { lastBackups } from '#core/backup/history.ts'
import { foldCase, type PageParams } from '#core/contract.ts'
import { type Db, isPostgres, likePattern, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { Media } from '#core/media/media.ts'
import type { Statistics } from '#core/statistics.ts'
import {
  avatarUrl,
  grantAdmin,
  isAdmin,
  revokeAdmin,
  suspend as suspendUser,
  unsuspend as unsuspendUser,
} from '#features/people/model.ts'
import type { Account, Facts } from './contract.ts'

// ── People ──────────────────────────────────────────────────────────────────

const accounts = (db: Db) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'email_verified_at', 'created_at', 'image'])
    .select((query) => [
      isAdmin(query).as('admin'),
      query
        .selectFrom('suspensions')
        .select('created_at')
        .whereRef('user_id', '=', 'users.id')
        .as('suspended_at'),
    ])
type Row = Awaited<ReturnType<ReturnType<typeof accounts>['execute']>>[number]

const toAccount =
  (media: Media) =>
  ({ image, admin, ...row }: Row): Account => ({
    ...row,
    is_admin: Boolean(admin),
    profile_image: avatarUrl(media, image),
  })

/** Accounts whose name or email address contains `q`, by id. */
export async function users(
  db: Db,
  media: Media,
  { q, before, after, limit }: PageParams & { q: string | null },
) {
  const wanted = q === null ? '' : likePattern(foldCase(q))
  const rows = await accounts(db)
    .$if(q !== null, (query) =>
      query.where(
        sql<boolean>`(name_key like ${wanted} escape '\\' or email_key like ${wanted} escape '\\')`,
      ),
    )
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .$if(after !== undefined, (query) => query.where('id', '>', after!))
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return paged(
    rows,
    limit,
    (last) => ({ after: last.id }),
    (shown) => ({ userData: shown.map(toAccount(media)) }),
  )
}

/** Changes an account's rights and returns the account. The row is locked until the commit. */
const changeAccount = (
  db: Db,
  media: Media,
  id: number,
  work: (tx: Tx, account: Account) => Promise<unknown>,
) =>
  transaction(db, async (tx) => {
    if (isPostgres(tx))
      await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    const read = async () => {
      const row = await accounts(tx).where('id', '=', id).executeTakeFirst()
      if (!row)
        throw new HttpError(404, { en: 'There is no such user.', ja: 'そのユーザーは見つかりません。' })
      return toAccount(media)(row)
    }
    await work(tx, await read())
    return read()
  })

export const grant = (db: Db, media: Media, me: number, id: number) =>
  changeAccount(db, media, id, async (tx, { suspended_at }) => {
    if (suspended_at)
      throw new HttpError(403, {
        en: 'Somebody suspended cannot become an admin. Let them back in first.',
        ja: '停止中のユーザーは管理者にできません。先に停止を解除してください。',
      })
    await grantAdmin(tx, id, me)
  })

export const revoke = (db: Db, media: Media, id: number) =>
  changeAccount(db, media, id, async (tx, { is_admin }) => {
    // Locks the admins, so that two who revoke each other at the same time run one after the other.
    const all = await tx
      .selectFrom('admins')
      .select('user_id')
      .orderBy('user_id')
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .execute()
    if (is_admin && all.length === 1)
      throw new HttpError(403, {
        en: 'This is the last admin. Make somebody else an admin first.',
        ja: '最後の管理者です。先にほかの人を管理者にしてください。',
      })
    await revokeAdmin(tx, id)
  })

export async function suspend(db: Db, media: Media, me: number, id: number) {
  if (me === id)
    throw new HttpError(403, {
      en: 'You cannot suspend yourself.',
      ja: '自分自身を停止することはできません。',
    })
  return changeAccount(db, media, id, async (tx, { is_admin }) => {
    if (is_admin)
      throw new HttpError(403, {
        en: 'An admin cannot be suspended. Remove the admin right first.',
        ja: '管理者は停止できません。先に管理者の権限を外してください。',
      })
    await suspendUser(tx, id, me)
  })
}

export const unsuspend = (db: Db, media: Media, id: number) =>
  changeAccount(db, media, id, (tx) => unsuspendUser(tx, id))

// ── Facts ───────────────────────────────────────────────────────────────────

const DAY = 24 * 3600 * 1000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString()

/** Adds up what the running features count. A field of a feature that does not run is 0. */
export async function facts(db: Db, nightly: boolean, statistics: readonly Statistics[]): Promise<Facts> {
  const since = daysAgo(1)
  const people = await db
    .selectFrom('users')
    .select([
      sql<number>`count(*)`.as('members'),
      sql<number>`count(*) filter (where created_at > ${daysAgo(7)})`.as('members_this_week'),
    ])
    .executeTakeFirstOrThrow()
  const counts = {}
  for (const { counts: count } of statistics) Object.assign(counts, await count(db, since))
  const wrote_today = await countAuthors(
    db,
    statistics.map(({ authors }) => authors(since)),
  )
  const backup = { nightly, ...(await lastBackups(db)) }
  return { ...people, groups: 0, posts_today: 0, ...counts, wrote_today, backup }
}

async function countAuthors(db: Db, queries: readonly RawBuilder<{ user_id: number }>[]) {
  if (!queries.length) return 0
  const all = sql.join(queries, sql` union all `)
  const { rows } = await sql<{ count: number }>`
    select count(distinct user_id) as count from (${all}) as authors`.execute(db)
  return rows[0]!.count
}
