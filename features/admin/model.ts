import { type RawBuilder, sql } from 'kysely'
import { lastBackups } from '#core/backup/nightly.ts'
import { foldCase, type PageParams } from '#core/contract.ts'
import { type Db, isPostgres, likePattern, transaction } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { Media } from '#core/media/media.ts'
import {
  avatarUrl,
  grantAdmin,
  isAdmin,
  unsuspend as lift,
  revokeAdmin,
  suspend as shutOut,
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

/** By id; `q` is contained in the name or the address. */
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

/** Changes what somebody may do, and tells how they stand now. Nobody else changes it until that is committed. */
const change = (db: Db, media: Media, id: number, work: (tx: Db, standing: Account) => Promise<unknown>) =>
  transaction(db, async (tx) => {
    if (isPostgres(tx))
      await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    const look = async () => {
      const row = await accounts(tx).where('id', '=', id).executeTakeFirst()
      if (!row)
        throw new HttpError(404, { en: 'There is no such user.', ja: 'そのユーザーは見つかりません。' })
      return toAccount(media)(row)
    }
    await work(tx, await look())
    return look()
  })

export const grant = (db: Db, media: Media, me: number, id: number) =>
  change(db, media, id, async (tx, { suspended_at }) => {
    if (suspended_at)
      throw new HttpError(403, {
        en: 'Somebody suspended cannot become an admin. Let them back in first.',
        ja: '停止中のユーザーは管理者にできません。先に停止を解除してください。',
      })
    await grantAdmin(tx, id, me)
  })

export const revoke = (db: Db, media: Media, id: number) =>
  change(db, media, id, async (tx, { is_admin }) => {
    // Two who take it from each other at one moment come one after the other.
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
  return change(db, media, id, async (tx, { is_admin }) => {
    if (is_admin)
      throw new HttpError(403, {
        en: 'An admin cannot be suspended. Remove the admin right first.',
        ja: '管理者は停止できません。先に管理者の権限を外してください。',
      })
    await shutOut(tx, id, me)
  })
}

export const unsuspend = (db: Db, media: Media, id: number) => change(db, media, id, (tx) => lift(tx, id))

// ── Groups and figures ──────────────────────────────────────────────────────

/** Groups have no pair: their index is a small part of that of all conversations. */
const allGroups = (db: Db) => db.selectFrom('conversations as c').where('pair', 'is', null)

/** The newest first. */
export async function groups(db: Db, { before, after, limit }: PageParams) {
  const rows = await allGroups(db)
    .select(['id', 'name', 'created_at'])
    .select((query) =>
      query
        .selectFrom('members')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('conversation_id', '=', 'c.id')
        .as('members_count'),
    )
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .$if(after !== undefined, (query) => query.where('id', '>', after!))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return paged(
    rows,
    limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(({ name, members_count, ...row }) => ({
        ...row,
        name: name!,
        members_count: members_count!,
      })),
  )
}

const DAY = 24 * 3600 * 1000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString()

export async function facts(db: Db, nightly: boolean): Promise<Facts> {
  const people = await db
    .selectFrom('users')
    .select([
      count(sql`*`).as('members'),
      sql<number>`count(*) filter (where created_at > ${daysAgo(7)})`.as('members_this_week'),
    ])
    .executeTakeFirstOrThrow()
  const { groups } = await allGroups(db).select(count(sql`*`).as('groups')).executeTakeFirstOrThrow()
  const { posts_today } = await since(db, 'posts')
    .select(count(sql`*`).as('posts_today'))
    .executeTakeFirstOrThrow()
  const writers = since(db, 'posts').select('user_id').union(since(db, 'messages').select('user_id'))
  const { wrote_today } = await db
    .selectFrom(writers.as('writers'))
    .select(count(sql`*`).as('wrote_today'))
    .executeTakeFirstOrThrow()
  return { ...people, groups, posts_today, wrote_today, backup: { nightly, ...(await lastBackups(db)) } }
}

const count = (what: RawBuilder<unknown>) => sql<number>`count(${what})`

/** What was written today: from the newest back to the first that is older, so that all that came before costs nothing. */
const since = (db: Db, table: 'posts' | 'messages') =>
  db
    .selectFrom(table)
    .where('created_at', '>', daysAgo(1))
    .where('id', '>', (query) =>
      query.fn.coalesce(
        query
          .selectFrom(table)
          .select('id')
          .where('created_at', '<=', daysAgo(1))
          .orderBy('id', 'desc')
          .limit(1),
        sql<number>`0`,
      ),
    )
