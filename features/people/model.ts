import { type ExpressionBuilder, sql } from 'kysely'
import type { Config } from '#core/config.ts'
import { foldCase, type PageParams } from '#core/contract.ts'
import { type Db, isPostgres, likePattern, now, type Tables, type Tx } from '#core/database/database.ts'
import { lockRow, transaction } from '#core/database/transaction.ts'
import { errors, fieldError, HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { ImageSizes, Picture } from '#core/media/images.ts'
import { attach, detach } from '#core/media/lifecycle.ts'
import type { Media } from '#core/media/media.ts'
import type { Listed, Me, Person, Profile } from './contract.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { endSessionsOf } from './sessions.ts'

const LARGE_FACE = 256
export const avatarSizes: ImageSizes = { squares: [96, LARGE_FACE] }

/** The address of a profile image, null where there is none. */
export const avatarUrl = (media: Media, image: string | null) => image && media.url(image, LARGE_FACE)

// ── Accounts ────────────────────────────────────────────────────────────────

interface Registration {
  name: string
  email: string
  password: string
}
export interface Account {
  id: number
  name: string
  email: string
  created_at: string
}

/** Creates an account; `also` runs in the same transaction. */
export async function register(
  db: Db,
  config: Config,
  { name, email, password }: Registration,
  also: (tx: Tx, account: Account) => Promise<unknown>,
) {
  const password_hash = await hashPassword(password)
  return transaction(db, async (tx) => {
    const account = await createAccount(tx, config, { name, email, password_hash })
    await also(tx, account)
    return account
  })
}

/** The first account of all becomes an admin, and so do those of ADMIN_EMAIL. Throws 422 where the email is taken. */
export async function createAccount(
  tx: Tx,
  { ADMIN_EMAIL }: Config,
  { name, email, password_hash }: { name: string; email: string; password_hash: string },
): Promise<Account> {
  const email_key = foldCase(email)
  await lockRow(tx, 'first account')
  const account = await tx
    .insertInto('users')
    .values({ name, name_key: foldCase(name), email, email_key, password_hash, created_at: now() })
    .onConflict((c) => c.column('email_key').doNothing())
    .returning(['id', 'name', 'email', 'created_at'])
    .executeTakeFirst()
  if (!account)
    throw fieldError('email', {
      en: 'The email has already been taken.',
      ja: 'このメールアドレスはすでに登録されています。',
    })
  const others = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '!=', account.id)
    .limit(1)
    .executeTakeFirst()
  if (!others || ADMIN_EMAIL.includes(email_key)) await grantAdmin(tx, account.id)
  return account
}

/** The account that an address and a password open, else undefined: which of the two was wrong is not told, nor is it to be timed. */
export async function accountOf(db: Db, email: string, password: string) {
  const account = await db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('email_key', '=', foldCase(email))
    .executeTakeFirst()
  return (await isPassword(password, account?.password_hash)) ? account!.id : undefined
}

export const emailOf = async (db: Db, id: number) => {
  const account = await db
    .selectFrom('users')
    .select(['email', 'email_verified_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!account) throw errors.notFound()
  return account
}

/** Whether the address was verified just now; false when it already was. */
export const verifyEmail = (db: Db, id: number) =>
  transaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('users')
      .set({ email_verified_at: now() })
      .where('id', '=', id)
      .where('email_verified_at', 'is', null)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  })

// ── Admins ──────────────────────────────────────────────────────────────────

export const grantAdmin = (tx: Tx, id: number, granted_by: number | null = null) =>
  tx
    .insertInto('admins')
    .values({ user_id: id, granted_by, created_at: now() })
    .onConflict((c) => c.doNothing())
    .execute()

export const revokeAdmin = (tx: Tx, id: number) => tx.deleteFrom('admins').where('user_id', '=', id).execute()

/** Accounts that ADMIN_EMAIL names and that exist already; the others become admins when they register. */
export const grantNamed = (db: Db, { ADMIN_EMAIL }: Config) =>
  transaction(db, async (tx) => {
    for (const email of ADMIN_EMAIL) {
      const account = await tx
        .selectFrom('users')
        .select('id')
        .where('email_key', '=', foldCase(email))
        .executeTakeFirst()
      if (account) await grantAdmin(tx, account.id)
    }
  })

export const isAdmin = (q: ExpressionBuilder<Tables, 'users'>) =>
  q.exists(q.selectFrom('admins').select('user_id').whereRef('admins.user_id', '=', 'users.id'))

// ── Suspension ──────────────────────────────────────────────────────────────

/** They keep all that is theirs, and do not get in. */
export async function suspend(tx: Tx, id: number, suspended_by: number) {
  await tx
    .insertInto('suspensions')
    .values({ user_id: id, suspended_by, created_at: now() })
    .onConflict((c) => c.doNothing())
    .execute()
  await endSessionsOf(tx, id)
}

export const unsuspend = (tx: Tx, id: number) =>
  tx.deleteFrom('suspensions').where('user_id', '=', id).execute()

export const isSuspended = async (db: Db, id: number) =>
  (await db.selectFrom('suspensions').select('user_id').where('user_id', '=', id).executeTakeFirst()) !==
  undefined

// ── Profiles ────────────────────────────────────────────────────────────────

export async function me(db: Db, media: Media, id: number): Promise<Me> {
  const row = await db
    .selectFrom('users')
    .select(
      (q) =>
        [
          'id',
          'name',
          'email',
          'bio',
          'image',
          'email_verified_at',
          'created_at',
          isAdmin(q).as('admin'),
        ] as const,
    )
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw errors.unauthenticated()
  const { image, admin, ...rest } = row
  return { ...rest, is_admin: Boolean(admin), profile_image: avatarUrl(media, image) }
}

/** What anyone may know of somebody. */
export async function personOf(db: Db, media: Media, id: number): Promise<Person> {
  const { image, ...row } = await db
    .selectFrom('users')
    .select(['id', 'name', 'image'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...row, profile_image: avatarUrl(media, image) }
}

/** What a member may know of another. */
export async function profile(db: Db, media: Media, me: number, id: number): Promise<Profile> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'name', 'bio', 'image', 'created_at'])
    .select(({ selectFrom, fn }) => [
      selectFrom('follows')
        .select(fn.countAll<number>().as('n'))
        .where('follower_id', '=', id)
        .as('following_count'),
      selectFrom('follows')
        .select(fn.countAll<number>().as('n'))
        .where('followed_id', '=', id)
        .as('followers_count'),
    ])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw noSuchUser()
  const { image, following_count, followers_count, ...rest } = row
  return {
    ...rest,
    profile_image: avatarUrl(media, image),
    following_count: Number(following_count),
    followers_count: Number(followers_count),
    follows_me: await follows(db, id, me),
  }
}

const noSuchUser = () =>
  new HttpError(404, { en: 'There is no such user.', ja: 'そのユーザーは見つかりません。' })

/** A bio that is undefined stays as it is. */
export const saveProfile = (
  db: Db,
  id: number,
  { name, bio }: { name: string; bio?: string | null | undefined },
) =>
  transaction(db, (tx) =>
    tx
      .updateTable('users')
      .set({ name, name_key: foldCase(name), ...(bio !== undefined && { bio }) })
      .where('id', '=', id)
      .execute(),
  )

/** Returns the name of the picture that it replaces, null where there was none. */
export const saveImage = (db: Db, id: number, picture: Picture) =>
  transaction(db, async (tx) => {
    const before = await tx
      .selectFrom('users')
      .select('image')
      .where('id', '=', id)
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .executeTakeFirst()
    await attach(tx, picture)
    await tx.updateTable('users').set({ image: picture.name }).where('id', '=', id).execute()
    if (before?.image && before.image !== picture.name) await detach(tx, [before.image])
    return before?.image ?? null
  })

// ── Finding people ──────────────────────────────────────────────────────────

const listed =
  (media: Media) =>
  ({ image, ...row }: { id: number; name: string; bio: string | null; image: string | null }): Listed => ({
    ...row,
    profile_image: avatarUrl(media, image),
  })

const beginning = sql<string | null>`substr(bio, 1, 160)`.as('bio')

/** By id, oneself included; `q` is contained in the name, whatever the case or width of its letters. */
export async function users(
  db: Db,
  media: Media,
  { q, before, after, limit }: PageParams & { q: string | null },
) {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name', beginning, 'image'])
    .$if(q !== null, (query) =>
      query.where(sql<boolean>`name_key like ${likePattern(foldCase(q!))} escape '\\'`),
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
    (shown) => shown.map(listed(media)),
  )
}

// ── Follows ─────────────────────────────────────────────────────────────────

export const followings = async (db: Db, me: number) =>
  (
    await db
      .selectFrom('follows')
      .select('followed_id')
      .where('follower_id', '=', me)
      .orderBy('followed_id')
      .execute()
  ).map((row) => row.followed_id)

export async function followedUsers(db: Db, media: Media, me: number, { before, after, limit }: PageParams) {
  const rows = await db
    .selectFrom('follows')
    .innerJoin('users', 'users.id', 'follows.followed_id')
    .select(['users.id', 'users.name', beginning, 'users.image'])
    .where('follows.follower_id', '=', me)
    .$if(before !== undefined, (query) => query.where('follows.followed_id', '<', before!))
    .$if(after !== undefined, (query) => query.where('follows.followed_id', '>', after!))
    .orderBy('follows.followed_id')
    .limit(limit + 1)
    .execute()
  return paged(
    rows,
    limit,
    (last) => ({ after: last.id }),
    (shown) => shown.map(listed(media)),
  )
}

/** Inserted through the row of the followed: a missing person is a missing row. */
export async function follow(db: Db, me: number, other: number) {
  if (me === other)
    throw fieldError('id', { en: 'You cannot follow yourself.', ja: '自分自身はフォローできません。' })
  return transaction(db, async (tx) => {
    const target = tx
      .selectFrom('users')
      .where('id', '=', other)
      .select((q) => [q.val(me).as('follower_id'), 'id', q.val(now()).as('created_at')] as const)
    await tx
      .insertInto('follows')
      .columns(['follower_id', 'followed_id', 'created_at'])
      .expression(target)
      .onConflict((c) => c.doNothing())
      .execute()
    if (!(await follows(tx, me, other))) throw noSuchUser()
  })
}

export const unfollow = (db: Db, me: number, other: number) =>
  transaction(db, (tx) =>
    tx.deleteFrom('follows').where('follower_id', '=', me).where('followed_id', '=', other).execute(),
  )

const follows = async (db: Db, follower: number, followed: number) =>
  (await db
    .selectFrom('follows')
    .select('followed_id')
    .where('follower_id', '=', follower)
    .where('followed_id', '=', followed)
    .executeTakeFirst()) !== undefined
