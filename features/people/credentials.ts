import { sql } from 'kysely'
import type { Config } from '#core/config.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { type Db, hasMatchingRow, isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { lockName, transaction } from '#core/database/transaction.ts'
import { fieldError, httpErrors } from '#core/http/errors.ts'
import { foldAddress } from '#core/text/addresses.ts'
import { normalizePassword } from '#core/text/unicode.ts'
import { grantIfConfigured } from './admins.ts'
import { isCommonPassword } from './common-passwords.ts'
import { parseHandle } from './handles.ts'
import { hashPassword, unusableHash } from './passwords.ts'
import * as reserved from './reserved-emails.ts'
import * as securityLog from './security-log.ts'
import { requireConfirmation, requireOpenSession } from './session-confirmation.ts'

/** Undefined if there is none. No text can be both, because an address has an `@` inside. */
export function find(db: Db, emailOrHandle: string) {
  const handle = parseHandle(emailOrHandle)
  return db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .$if(handle !== null, (query) => query.where('handle', '=', handle!))
    .$if(handle === null, (query) => query.where('email_key', '=', foldAddress(emailOrHandle)))
    .where('former_since', 'is', null)
    .executeTakeFirst()
}

/** Wrong passwords and codes are counted under this key. */
export const attemptKey = (emailOrHandle: string) => parseHandle(emailOrHandle) ?? foldAddress(emailOrHandle)

/** 401 if the account no longer exists. */
export async function getOwn({ db, me }: MemberContext) {
  const row = await db
    .selectFrom('users')
    .select(['id', 'password_hash', 'email', 'handle'])
    .where('id', '=', me.id)
    .executeTakeFirst()
  if (!row) throw httpErrors.unauthenticated()
  return row
}

/**
 * Until the commit; undefined if there is no account. A transaction that logs in, or changes the password or
 * the address, calls this first and then repeats earlier checks: the password may have changed, or the
 * session may have ended meanwhile.
 */
export const lock = (tx: Tx, id: number) =>
  tx
    .selectFrom('users')
    .select(['id', 'password_hash', 'email', 'email_verified_at', 'handle'])
    .where('id', '=', id)
    .where('former_since', 'is', null)
    .$if(isPostgres(tx), (query) => query.forNoKeyUpdate())
    .executeTakeFirst()

interface SessionOwner {
  me: { id: number }
  session: { token: string }
}

/** 401 if the account no longer exists or the session has ended. */
export async function lockOwn(tx: Tx, { me, session }: SessionOwner) {
  const account = await lock(tx, me.id)
  if (!account) throw httpErrors.unauthenticated()
  await requireOpenSession(tx, session.token)
  return account
}

/** As `credentials.lockOwn`; 423 unless the member confirmed their identity in the last ten minutes. */
export async function lockConfirmed(tx: Tx, { me, session }: SessionOwner) {
  const account = await lockOwn(tx, { me, session })
  await requireConfirmation(tx, session.token)
  return account
}

/** 422 for one of the most common passwords. */
export function hashNew(password: string, network: string) {
  if (isCommonPassword(normalizePassword(password))) throw commonPassword()
  return hashPassword(password, network)
}

export const saveHash = (tx: Tx, id: number, password_hash: string) =>
  tx.updateTable('users').set({ password_hash }).where('id', '=', id).execute()

/** No right follows from that: see `proveEmail`. False if it was verified before, or there is none. */
export const markVerified = ({ db }: Pick<AppContext, 'db'>, id: number) =>
  transaction(db, async (tx) => {
    const account = await tx
      .updateTable('users')
      .set({ email_verified_at: isoNow() })
      .where('id', '=', id)
      .where('email', 'is not', null)
      .where('email_verified_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!account) return false
    await securityLog.record(tx, id, 'email_verified')
    return true
  })

/**
 * An admin says so for all, and nobody has used a mailbox: see `isVerifiedByAdmin`. Returns how many there were.
 */
export async function markAllVerified(tx: Tx, admin: number) {
  await lockAll(tx)
  const at = isoNow()
  const events = tx
    .selectFrom('users')
    .select([
      'id',
      sql<'email_verified'>`'email_verified'`.as('kind'),
      sql<number>`cast(${admin} as integer)`.as('actor_id'),
      sql<string>`cast(${at} as text)`.as('created_at'),
    ])
    .where(unverified)
  const columns = ['user_id', 'kind', 'actor_id', 'created_at'] as const
  await tx.insertInto('security_log').columns(columns).expression(events).execute()
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email_verified_at: at })
    .where(unverified)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** As long as the security log keeps that, for a year. */
export const isVerifiedByAdmin = (db: Db, id: number) =>
  hasMatchingRow(
    db
      .selectFrom('security_log')
      .select('id')
      .where('user_id', '=', id)
      .where('kind', '=', 'email_verified')
      .where('actor_id', 'is not', null),
  )

/** Members whose address nobody has verified. */
export const countUnverified = async (db: Db) => {
  const count = sql<number>`count(*)`.as('count')
  return (await db.selectFrom('users').select(count).where(unverified).executeTakeFirstOrThrow()).count
}

const unverified = sql<boolean>`email is not null and email_verified_at is null and former_since is null`

/**
 * The owner of the verified address owns the account too, which makes it an admin if ADMIN_EMAIL lists the
 * address. The caller has seen the link in a session of the account, or a password that the owner of the
 * mailbox has chosen while everything else ended.
 */
export async function proveEmail(tx: Tx, config: Config, id: number) {
  await tx
    .updateTable('users')
    .set({ email_proven_at: isoNow() })
    .where('id', '=', id)
    .where('email_verified_at', 'is not', null)
    .where('email_proven_at', 'is', null)
    .execute()
  await grantIfConfigured(tx, config, id)
}

/** Undefined if the address is proven. */
export const findUnproven = (db: Db, id: number) =>
  db
    .selectFrom('users')
    .select(['name', 'created_at'])
    .where('id', '=', id)
    .where('email_proven_at', 'is', null)
    .executeTakeFirst()

/** 422 otherwise. Without the lock of `credentials.lockAll` the answer may be outdated. */
export async function requireFreeEmail(db: Db, id: number, email: string) {
  if (await isEmailTaken(db, email, id)) throw emailTaken()
}

/** By another account, or for another whose owner can still undo the change of this address. */
export async function isEmailTaken(db: Db, email: string, id = NO_ACCOUNT_ID) {
  const other = db
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', foldAddress(email))
    .where('id', '!=', id)
  return (await hasMatchingRow(other)) || reserved.forOther(db, id, email)
}

interface VerifiedEmail {
  email: string
  /** See `email_proven_at`. */
  isProven: boolean
}

/** If it is proven too, ADMIN_EMAIL may make the account an admin. 422 if it is taken or reserved. */
export async function saveEmail(config: Config, tx: Tx, id: number, { email, isProven }: VerifiedEmail) {
  await lockAll(tx)
  await requireFreeEmail(tx, id, email)
  const email_key = foldAddress(email)
  await tx
    .updateTable('users')
    .set({ email, email_key, email_verified_at: isoNow(), email_proven_at: null })
    .where('id', '=', id)
    .execute()
  if (isProven) await proveEmail(tx, config, id)
}

/** The owner logs in with the handle from then on. */
export const removeEmail = (tx: Tx, id: number) =>
  tx
    .updateTable('users')
    .set({ email: null, email_key: null, email_verified_at: null, email_proven_at: null })
    .where('id', '=', id)
    .execute()

/** No account has this id. */
export const NO_ACCOUNT_ID = 0

/** The owner has to set a new one. */
export const disablePassword = async (tx: Tx, id: number) => saveHash(tx, id, await unusableHash())

/** Until the commit: one transaction at a time creates, renames or deletes accounts, or assigns addresses. */
export const lockAll = (tx: Tx) => lockName(tx, 'accounts')

export const emailTaken = () =>
  fieldError('email', {
    en: 'The email has already been taken.',
    ja: 'このメールアドレスはすでに登録されています。',
  })

const commonPassword = () =>
  fieldError('password', {
    en: 'This password is very common and easy to guess. Please choose another.',
    ja: 'よく使われていて、推測されやすいパスワードです。別のものにしてください。',
  })
