import { randomInt } from 'node:crypto'
import type { Config } from '#core/config.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { foldCase, foldName } from '#core/contract.ts'
import { type Db, exists, isPostgres, now, type Tx } from '#core/database/database.ts'
import { lockRow, transaction } from '#core/database/transaction.ts'
import { fieldError } from '#core/http/errors.ts'
import type { Picture } from '#core/media/images.ts'
import { attach, detach } from '#core/media/lifecycle.ts'
import { isCommonPassword } from './common-passwords.ts'
import { HANDLE_LENGTH, handleBase, handleCandidates, nameSkeleton, toHandle } from './handles.ts'
import { hashPassword } from './passwords.ts'
import { isFollowing, noSuchUser } from './read.ts'
import { noteSecurityEvent } from './security-log.ts'
import { endSessionsOf } from './sessions.ts'
import { becomesFirstAdmin, type FirstAdmin } from './setup.ts'
import { visiblePeople } from './visibility.ts'

// ── Accounts ────────────────────────────────────────────────────────────────

interface Registration extends FirstAdmin {
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

/** Creates an account; `also` runs in the same transaction. Throws 422 for a common password. */
export async function register(
  context: AppContext,
  { password, network, ...given }: Registration & { network: string },
  also: (tx: Tx, account: Account) => Promise<unknown>,
) {
  if (isCommonPassword(password)) throw commonPassword()
  const password_hash = await hashPassword(password, network)
  return transaction(context.db, async (tx) => {
    const account = await createAccount(context, tx, { ...given, password_hash })
    await also(tx, account)
    return account
  })
}

/** Throws 422 where the e-mail address is taken, or the set-up code is wrong. */
export async function createAccount(
  { config, emit }: AppContext,
  tx: Tx,
  { name, email, password_hash, ...first }: Omit<Registration, 'password'> & { password_hash: string },
): Promise<Account> {
  const email_key = foldCase(email)
  await lockAccounts(tx)
  const isFirstAdmin = await becomesFirstAdmin(config, tx, first)
  const account = await tx
    .insertInto('users')
    .values({
      ...nameColumns(name),
      handle: await freeHandle(tx, name),
      email,
      email_key,
      password_hash,
      created_at: now(),
    })
    .onConflict((c) => c.column('email_key').doNothing())
    .returning(['id', 'name', 'email', 'created_at'])
    .executeTakeFirst()
  if (!account) throw emailTaken()
  if (isFirstAdmin) await grantAdmin(tx, account.id)
  await emit(tx, 'member.registered', { id: account.id })
  return account
}

const nameColumns = (name: string) => ({
  name,
  name_key: foldName(name),
  name_skeleton: nameSkeleton(name),
})

/** A handle that nobody has. The caller holds the lock of accounts. */
async function freeHandle(tx: Tx, name: string) {
  const base = handleBase(name)
  const candidates = handleCandidates(base)
  const rows = await tx.selectFrom('users').select('handle').where('handle', 'in', candidates).execute()
  const taken = new Set(rows.map(({ handle }) => handle))
  return candidates.find((handle) => !taken.has(handle)) ?? `${base}${randomInt(100_000, 999_999)}`
}

/** Gives a handle to the accounts that have none: those from before there were handles. */
export async function fillHandles(db: Db) {
  const fillSome = () =>
    transaction(db, async (tx) => {
      await lockAccounts(tx)
      const unfilled = tx.selectFrom('users').select(['id', 'name']).where('handle', 'is', null)
      const rows = await unfilled.orderBy('id').limit(200).execute()
      for (const { id, name } of rows) {
        const columns = { handle: await freeHandle(tx, name), name_skeleton: nameSkeleton(name) }
        await tx.updateTable('users').set(columns).where('id', '=', id).execute()
      }
      return rows.length
    })
  while (await fillSome());
}

/** Throws 422 where a handle is not well-formed, or somebody else has it. */
async function checkedHandle(tx: Tx, owner: number, given: string) {
  const handle = toHandle(given)
  if (!handle)
    throw fieldError('handle', {
      en: `A handle has 1 to ${HANDLE_LENGTH} letters, digits and _.`,
      ja: `ハンドルは${HANDLE_LENGTH}文字までの文字、数字、_で入力してください。`,
    })
  await lockAccounts(tx)
  const other = tx.selectFrom('users').select('id').where('handle', '=', handle).where('id', '!=', owner)
  if (await exists(other))
    throw fieldError('handle', {
      en: 'This handle has already been taken.',
      ja: 'このハンドルはすでに使われています。',
    })
  return handle
}

/** Accounts are created, and handles given, one after the other. */
const lockAccounts = (tx: Tx) => lockRow(tx, 'first account')

const commonPassword = () =>
  fieldError('password', {
    en: 'This password is one of the 100,000 most common ones, which are guessed first. Choose another.',
    ja: 'このパスワードは、最も多く使われている10万個のひとつで、すぐに推測されます。別のものにしてください。',
  })

const emailTaken = () =>
  fieldError('email', {
    en: 'The email has already been taken.',
    ja: 'このメールアドレスはすでに登録されています。',
  })

/** The account of an e-mail address, for `isPassword`. */
export const credentialsOf = (db: Db, email: string) =>
  db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('email_key', '=', foldCase(email))
    .executeTakeFirst()

/**
 * Makes the account an admin where ADMIN_EMAIL names its address. Returns false where the address was
 * verified before.
 */
export const verifyEmail = ({ db, config }: AppContext, id: number) =>
  transaction(db, async (tx) => {
    const account = await tx
      .updateTable('users')
      .set({ email_verified_at: now() })
      .where('id', '=', id)
      .where('email_verified_at', 'is', null)
      .returning('email_key')
      .executeTakeFirst()
    if (!account) return false
    await noteSecurityEvent(tx, id, 'email_verified')
    if (namedAdmins(config).includes(account.email_key)) await grantAdmin(tx, id)
    return true
  })

// ── Admins ──────────────────────────────────────────────────────────────────

export async function grantAdmin(tx: Tx, id: number, granted_by: number | null = null) {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('admins')
    .values({ user_id: id, granted_by, created_at: now() })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows) await noteSecurityEvent(tx, id, 'admin_granted', { actor_id: granted_by })
}

export async function revokeAdmin(tx: Tx, id: number, revoked_by: number | null = null) {
  const { numDeletedRows } = await tx.deleteFrom('admins').where('user_id', '=', id).executeTakeFirstOrThrow()
  if (numDeletedRows) await noteSecurityEvent(tx, id, 'admin_revoked', { actor_id: revoked_by })
}

/** The addresses of ADMIN_EMAIL, as `email_key` has them. */
const namedAdmins = ({ ADMIN_EMAIL }: Config) => ADMIN_EMAIL.map(foldCase)

/**
 * Makes admins of the accounts whose address ADMIN_EMAIL names and is verified. The others become admins when
 * they verify it:
 * anybody may register an address, and only its owner gets the mail.
 */
export const grantNamed = (db: Db, config: Config) =>
  transaction(db, async (tx) => {
    if (!config.ADMIN_EMAIL.length) return
    const accounts = await tx
      .selectFrom('users')
      .select('id')
      .where('email_key', 'in', namedAdmins(config))
      .where('email_verified_at', 'is not', null)
      .execute()
    for (const { id } of accounts) await grantAdmin(tx, id)
  })

// ── Suspension ──────────────────────────────────────────────────────────────

/** Ends all sessions of a member, and lets no new one begin. What the member wrote stays. */
export async function suspend({ realtime, emit }: AppContext, tx: Tx, id: number, suspended_by: number) {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('suspensions')
    .values({ user_id: id, suspended_by, created_at: now() })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows) await noteSecurityEvent(tx, id, 'suspended', { actor_id: suspended_by })
  await endSessionsOf(tx, realtime, id)
  await emit(tx, 'member.suspended', { id, suspended_by })
}

export async function unsuspend({ emit, me }: MemberContext, tx: Tx, id: number) {
  const { numDeletedRows } = await tx
    .deleteFrom('suspensions')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows) await noteSecurityEvent(tx, id, 'unsuspended', { actor_id: me.id })
  await emit(tx, 'member.unsuspended', { id })
}

// ── Profiles ────────────────────────────────────────────────────────────────

/** An undefined bio and a missing handle stay as they are. */
export const saveProfile = (
  { db, me }: MemberContext,
  { name, bio, handle }: { name: string; bio?: string | null | undefined; handle?: string | null },
) =>
  transaction(db, async (tx) => {
    const changed = handle ? { handle: await checkedHandle(tx, me.id, handle) } : {}
    await tx
      .updateTable('users')
      .set((q) => ({
        ...nameColumns(name),
        ...changed,
        ...(bio !== undefined && { bio }),
        revision: q('revision', '+', 1),
      }))
      .where('id', '=', me.id)
      .execute()
  })

/** Returns the name of the picture that was replaced, or null. */
export const saveImage = ({ db, me }: MemberContext, picture: Picture) =>
  transaction(db, async (tx) => {
    const before = await tx
      .selectFrom('users')
      .select('image')
      .where('id', '=', me.id)
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .executeTakeFirst()
    await attach(tx, picture)
    await tx
      .updateTable('users')
      .set((q) => ({ image: picture.name, revision: q('revision', '+', 1) }))
      .where('id', '=', me.id)
      .execute()
    if (before?.image && before.image !== picture.name) await detach(tx, [before.image])
    return before?.image ?? null
  })

// ── Follows ─────────────────────────────────────────────────────────────────

/**
 * Inserts through the row of the followed person, so that nobody follows a person who is missing or hidden.
 */
export async function follow(context: MemberContext, other: number) {
  const { db, me, emit } = context
  if (me.id === other)
    throw fieldError('id', { en: 'You cannot follow yourself.', ja: '自分自身はフォローできません。' })
  return transaction(db, async (tx) => {
    const target = visiblePeople({ ...context, db: tx })
      .where('id', '=', other)
      .select((q) => [q.val(me.id).as('follower_id'), 'id', q.val(now()).as('created_at')] as const)
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('follows')
      .columns(['follower_id', 'followed_id', 'created_at'])
      .expression(target)
      .onConflict((c) => c.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows)
      return emit(tx, 'follow.created', { follower_id: me.id, followed_id: other })
    if (!(await isFollowing(tx, me.id, other))) throw noSuchUser()
  })
}

export const unfollow = ({ db, me, emit }: MemberContext, other: number) =>
  transaction(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('follows')
      .where('follower_id', '=', me.id)
      .where('followed_id', '=', other)
      .executeTakeFirstOrThrow()
    if (numDeletedRows) await emit(tx, 'follow.deleted', { follower_id: me.id, followed_id: other })
  })
