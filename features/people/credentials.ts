import type { Config } from '#core/config.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { currentIsoTime, type Db, hasMatchingRow, isPostgres, type Tx } from '#core/database/database.ts'
import { acquireNamedTransactionLock, transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError, httpErrorFactories } from '#core/http/errors.ts'
import { foldCaseAndWidth, normalizePassword } from '#core/unicode.ts'
import { grantAdminIfConfigured } from './admins.ts'
import { isCommonPassword } from './common-passwords.ts'
import { parseHandle } from './handles.ts'
import { createUnusablePasswordHash, hashPassword } from './passwords.ts'
import { isFormerEmailReservedForOtherAccount } from './reserved-emails.ts'
import { recordSecurityEvent } from './security-log.ts'
import { requireRecentIdentityConfirmation, requireSessionNotEnded } from './session-confirmation.ts'

// The functions of this file read and change what a member logs in with: the e-mail address and the password.

/**
 * Returns the id and the password hash (for `verifyPassword`) of the account with this e-mail address or
 * handle. No text can be both, because an address has an `@` inside. Returns undefined if there is no such
 * account.
 */
export function findCredentialsByEmailOrHandle(db: Db, emailOrHandle: string) {
  const handle = parseHandle(emailOrHandle)
  return db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .$if(handle !== null, (query) => query.where('handle', '=', handle!))
    .$if(handle === null, (query) => query.where('email_key', '=', foldCaseAndWidth(emailOrHandle)))
    .where('former_since', 'is', null)
    .executeTakeFirst()
}

/**
 * Returns the key under which wrong passwords and codes are counted: the folded form of the e-mail address or
 * the handle that somebody typed.
 */
export const toLogInAttemptKey = (emailOrHandle: string) =>
  parseHandle(emailOrHandle) ?? foldCaseAndWidth(emailOrHandle)

/**
 * Reads the password hash, the e-mail address and the handle of the current member. Throws 401 if the account
 * no longer exists.
 */
export async function readOwnCredentials({ db, me }: MemberContext) {
  const row = await db
    .selectFrom('users')
    .select(['id', 'password_hash', 'email', 'handle'])
    .where('id', '=', me.id)
    .executeTakeFirst()
  if (!row) throw httpErrorFactories.unauthenticated()
  return row
}

// ── Locks ───────────────────────────────────────────────────────────────────

/**
 * Locks an account until the commit and returns its credentials; undefined if there is no such account. A
 * transaction that logs in to an account, or changes its password or address, calls this first. After the
 * lock, the transaction repeats the checks that ran before it, because the password may have changed, or
 * the session may have ended meanwhile.
 */
export const lockAndReadAccount = (tx: Tx, id: number) =>
  tx
    .selectFrom('users')
    .select(['id', 'password_hash', 'email', 'email_verified_at', 'handle'])
    .where('id', '=', id)
    .where('former_since', 'is', null)
    .$if(isPostgres(tx), (query) => query.forNoKeyUpdate())
    .executeTakeFirst()

/**
 * The parts of a request context that identify the session: the current member, and the token of the session.
 */
interface SessionOwner {
  me: { id: number }
  session: { token: string }
}

/**
 * Locks the account of the current member until the commit, and returns the credentials of the account.
 * Throws 401 if the account no longer exists or the session has ended.
 */
export async function lockAndReadOwnAccount(tx: Tx, { me, session }: SessionOwner) {
  const account = await lockAndReadAccount(tx, me.id)
  if (!account) throw httpErrorFactories.unauthenticated()
  await requireSessionNotEnded(tx, session.token)
  return account
}

/**
 * Locks the account of the current member and returns its credentials, like `lockAndReadOwnAccount`. Also
 * throws 423 unless the member has confirmed their identity in this session in the last ten minutes.
 */
export async function lockAndReadAccountOfRecentlyConfirmedSession(tx: Tx, { me, session }: SessionOwner) {
  const account = await lockAndReadOwnAccount(tx, { me, session })
  await requireRecentIdentityConfirmation(tx, session.token)
  return account
}

// ── Changes ─────────────────────────────────────────────────────────────────

/** Returns the hash of a new password. Throws 422 if the password is one of the most common ones. */
export function checkAndHashNewPassword(password: string, network: string) {
  if (isCommonPassword(normalizePassword(password))) throw createCommonPasswordError()
  return hashPassword(password, network)
}

export const savePasswordHash = (tx: Tx, id: number, password_hash: string) =>
  tx.updateTable('users').set({ password_hash }).where('id', '=', id).execute()

/**
 * Marks the e-mail address of an account as verified. No right follows from that: see `proveEmail`. Returns
 * false if the address was verified before, or if the account has none.
 */
export const markEmailVerified = ({ db }: Pick<AppContext, 'db'>, id: number) =>
  transaction(db, async (tx) => {
    const account = await tx
      .updateTable('users')
      .set({ email_verified_at: currentIsoTime() })
      .where('id', '=', id)
      .where('email', 'is not', null)
      .where('email_verified_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!account) return false
    await recordSecurityEvent(tx, id, 'email_verified')
    return true
  })

/**
 * Records that the owner of the verified address owns the account too, and makes it an admin if ADMIN_EMAIL
 * lists the address. The caller has seen the link in a session of the account, or a password that the owner
 * of the mailbox has chosen while everything else ended.
 */
export async function proveEmail(tx: Tx, config: Config, id: number) {
  await tx
    .updateTable('users')
    .set({ email_proven_at: currentIsoTime() })
    .where('id', '=', id)
    .where('email_verified_at', 'is not', null)
    .where('email_proven_at', 'is', null)
    .execute()
  await grantAdminIfConfigured(tx, config, id)
}

/**
 * Returns the name and the time of registration of an account whose address is not proven; undefined if it is
 * proven.
 */
export const findUnprovenAccount = (db: Db, id: number) =>
  db
    .selectFrom('users')
    .select(['name', 'created_at'])
    .where('id', '=', id)
    .where('email_proven_at', 'is', null)
    .executeTakeFirst()

/**
 * Throws 422 if an account other than `id` has the address, or if the address is reserved for another
 * account. The caller must hold the lock of `acquireAccountsLock`, or accept that the answer may be
 * outdated.
 */
export async function requireEmailNotTakenOrReserved(db: Db, id: number, email: string) {
  if (await isEmailTakenOrReserved(db, email, id)) throw createEmailTakenError()
}

/**
 * Returns whether an e-mail address belongs to another account than the one with this id, or is reserved for
 * another account whose owner can still undo the change of this address.
 */
export async function isEmailTakenOrReserved(db: Db, email: string, id = NO_ACCOUNT_ID) {
  const other = db
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', foldCaseAndWidth(email))
    .where('id', '!=', id)
  return (await hasMatchingRow(other)) || isFormerEmailReservedForOtherAccount(db, id, email)
}

interface VerifiedEmail {
  email: string
  /** Whether the owner of the mailbox has shown that the account is theirs: see `email_proven_at`. */
  isProven: boolean
}

/**
 * Replaces the e-mail address of an account with a verified one. If it is proven too, makes the account an
 * admin if ADMIN_EMAIL lists the address. Throws 422 if another account has the address, or if the address is
 * reserved for another account.
 */
export async function saveVerifiedEmail(
  config: Config,
  tx: Tx,
  id: number,
  { email, isProven }: VerifiedEmail,
) {
  await acquireAccountsLock(tx)
  await requireEmailNotTakenOrReserved(tx, id, email)
  const email_key = foldCaseAndWidth(email)
  await tx
    .updateTable('users')
    .set({ email, email_key, email_verified_at: currentIsoTime(), email_proven_at: null })
    .where('id', '=', id)
    .execute()
  if (isProven) await proveEmail(tx, config, id)
}

/**
 * Removes the e-mail address of an account. The owner of the account logs in with the handle from then on.
 */
export const removeEmailAddressOfAccount = (tx: Tx, id: number) =>
  tx
    .updateTable('users')
    .set({ email: null, email_key: null, email_verified_at: null, email_proven_at: null })
    .where('id', '=', id)
    .execute()

/**
 * An id that no account has. Callers pass it where an account id is required, but there is no account yet.
 */
export const NO_ACCOUNT_ID = 0

/** Makes the password of an account unusable, so that its owner has to set a new one. */
export const disablePassword = async (tx: Tx, id: number) =>
  savePasswordHash(tx, id, await createUnusablePasswordHash())

/**
 * Acquires the lock for changes of accounts, and holds it until the commit. So only one transaction at a time
 * creates, renames or deletes accounts, or assigns e-mail addresses and handles.
 */
export const acquireAccountsLock = (tx: Tx) => acquireNamedTransactionLock(tx, 'accounts')

export const createEmailTakenError = () =>
  createInvalidFieldError('email', {
    en: 'The email has already been taken.',
    ja: 'このメールアドレスはすでに登録されています。',
  })

const createCommonPasswordError = () =>
  createInvalidFieldError('password', {
    en: 'This is one of the 100,000 most common passwords, which attackers try first. Please choose another.',
    ja: 'このパスワードは、最もよく使われている10万個のひとつで、攻撃者が最初に試すものです。別のものにしてください。',
  })
