import { currentIsoTime, type Db, hasMatchingRow, type Tx } from '#core/database/database.ts'
import { acquireNamedTransactionLock, transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError, HttpError } from '#core/http/errors.ts'
import { hashSessionToken } from '#core/realtime/authorisation.ts'
import { isUsablePasswordHash } from '#features/people/passwords.ts'
import type { AccountTables } from './tables.ts'

// The functions of this file read and write the passkeys of members, and the challenges that a passkey signs
// (WebAuthn level 3, https://www.w3.org/TR/webauthn-3/).

/** The maximum number of passkeys of one account. */
const MAX_PASSKEYS = 20

/** The time for which a passkey challenge is accepted, in ms. */
export const PASSKEY_CHALLENGE_LIFETIME = 5 * 60_000

/**
 * The purposes of a passkey challenge: the actions for which a passkey signs. A challenge for one purpose is
 * not accepted for another.
 */
export type PasskeyChallengePurpose = AccountTables['passkey_challenges']['purpose']

const oldestValid = () => new Date(Date.now() - PASSKEY_CHALLENGE_LIFETIME).toISOString()

/**
 * Stores a passkey challenge for the session with this token. Also deletes the expired challenges of all
 * sessions.
 */
export async function insertPasskeyChallenge(
  tx: Tx,
  token: string,
  purpose: PasskeyChallengePurpose,
  challenge: string,
) {
  await tx.deleteFrom('passkey_challenges').where('created_at', '<=', oldestValid()).execute()
  const row = { session_hash: hashSessionToken(token), challenge, purpose, created_at: currentIsoTime() }
  await tx.insertInto('passkey_challenges').values(row).execute()
}

/**
 * Deletes a passkey challenge, so that it is accepted only once, also if the check of the signature then
 * fails. Returns false if the session has no such challenge, or if the challenge has expired.
 */
export const consumePasskeyChallenge = (
  db: Db,
  token: string,
  purpose: PasskeyChallengePurpose,
  challenge: string,
) =>
  transaction(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('passkey_challenges')
      .where('session_hash', '=', hashSessionToken(token))
      .where('challenge', '=', challenge)
      .where('purpose', '=', purpose)
      .where('created_at', '>', oldestValid())
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0
  })

/** Deletes the passkey challenges of the browsers whose session cookies have these hashes. */
export async function deletePasskeyChallengesOfSessions(tx: Tx, hashes: readonly string[]) {
  if (hashes.length) await tx.deleteFrom('passkey_challenges').where('session_hash', 'in', hashes).execute()
}

/** Lists the passkeys of a member, oldest first. A member has at most `MAX_PASSKEYS`. */
export const listPasskeys = (db: Db, user_id: number) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute()

/**
 * Returns whether a member has any passkey or, if `id` is given, whether the member has the passkey with this
 * id.
 */
export const hasPasskey = (db: Db, user_id: number, id?: number) =>
  hasMatchingRow(
    db
      .selectFrom('passkeys')
      .select('id')
      .where('user_id', '=', user_id)
      .$if(id !== undefined, (query) => query.where('id', '=', id!)),
  )

/** Returns a set with the ids of those of the given members who have a passkey. */
export async function filterMemberIdsWithPasskey(db: Db, ids: readonly number[]) {
  if (!ids.length) return new Set<number>()
  const rows = await db
    .selectFrom('passkeys')
    .select('user_id')
    .distinct()
    .where('user_id', 'in', ids)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

/**
 * Lists the credential descriptors of a member's passkeys: the credential id and the transports, which a
 * browser needs to find the passkeys.
 */
export async function listPasskeyCredentialDescriptors(db: Db, user_id: number) {
  const rows = await db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute()
  return rows.map(({ credential_id, transports }) => ({
    id: credential_id,
    type: 'public-key' as const,
    transports: transports.split(' ').filter(Boolean),
  }))
}

/**
 * Finds a passkey by the credential id that its authenticator gave it. Returns undefined if there is none.
 */
export const findPasskeyByCredentialId = (db: Db, credential_id: string) =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credential_id).executeTakeFirst()

export type StoredPasskey = NonNullable<Awaited<ReturnType<typeof findPasskeyByCredentialId>>>

/** The columns of a new passkey that the caller of `insertPasskey` gives. */
type NewPasskey = Omit<StoredPasskey, 'id' | 'created_at' | 'last_used_at'>

/**
 * Stores a new passkey, and returns the fields that the list of passkeys shows. Throws 422 if the account has
 * too many passkeys, or if any account has this passkey already.
 */
export async function insertPasskey(tx: Tx, passkey: NewPasskey) {
  // Lets only one transaction at a time add passkeys. Otherwise concurrent requests on PostgreSQL could
  // exceed the maximum number of passkeys.
  await acquireNamedTransactionLock(tx, 'passkeys')
  const own = await listPasskeys(tx, passkey.user_id)
  if (own.length >= MAX_PASSKEYS) throw createInvalidFieldError('passkey', messages.tooMany)
  const row = await tx
    .insertInto('passkeys')
    .values({ ...passkey, created_at: currentIsoTime(), last_used_at: null })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(['id', 'name', 'created_at', 'last_used_at'])
    .executeTakeFirst()
  if (!row) throw createInvalidFieldError('passkey', messages.known)
  return row
}

/**
 * Renames a passkey of a member, and returns the fields that the list of passkeys shows; undefined if the
 * member has no such passkey.
 */
export const updatePasskeyName = (tx: Tx, user_id: number, id: number, name: string) =>
  tx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .returning(['id', 'name', 'created_at', 'last_used_at'])
    .executeTakeFirst()

/** Deletes a passkey of a member. Returns false if the member has no such passkey. */
export async function deletePasskey(tx: Tx, user_id: number, id: number) {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0
}

/**
 * Throws 403 if the member has no way left to log in: no passkey, no usable password, and no e-mail address
 * to which a link for a new password can be sent.
 */
export async function requireRemainingLogInMethod(
  tx: Tx,
  { id, email, password_hash }: { id: number; email: string | null; password_hash: string },
) {
  if (email === null && !isUsablePasswordHash(password_hash) && !(await hasPasskey(tx, id)))
    throw new HttpError(403, {
      en: 'This passkey is the only way into your account. Add another passkey or an email address first, or ask an admin for a code for a password.',
      ja: 'ログインする方法がこのパスキーだけのため、削除できません。先に別のパスキーかメールアドレスを追加するか、パスワード用のコードを管理者にもらってください。',
    })
}

/** Deletes all passkeys of a member, for example because somebody else may have added one of them. */
export const deleteAllPasskeysOfMember = (tx: Tx, user_id: number) =>
  tx.deleteFrom('passkeys').where('user_id', '=', user_id).execute()

/**
 * Stores that a passkey was used, with the new value of its signature counter. Throws 422 if the passkey was
 * removed, or used with this or a higher counter, since the signature was checked.
 */
export async function recordPasskeyUse(tx: Tx, { id }: Pick<StoredPasskey, 'id'>, counter: number) {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, last_used_at: currentIsoTime() })
    .where('id', '=', id)
    // Accepts the counter only if it has grown, or if it is always 0, because many authenticators do not
    // count their signatures.
    .where((passkey) =>
      passkey.or([
        passkey('counter', '<', counter),
        passkey.and([passkey('counter', '=', 0), passkey.val(counter === 0)]),
      ]),
    )
    .executeTakeFirstOrThrow()
  if (!numUpdatedRows) throw createPasskeyRefusedError()
}

const messages = {
  tooMany: {
    en: `An account can have at most ${MAX_PASSKEYS} passkeys. Please remove one first.`,
    ja: `パスキーは${MAX_PASSKEYS}個までです。先にひとつ削除してください。`,
  },
  known: {
    en: 'This passkey is already in use.',
    ja: 'このパスキーはすでに登録されています。',
  },
  refused: {
    en: 'The passkey was not accepted. Please try again.',
    ja: 'パスキーを確認できませんでした。もう一度お試しください。',
  },
}

/**
 * Creates the 422 error for every passkey that is not accepted. The error does not say why the passkey was
 * refused.
 */
export const createPasskeyRefusedError = () => createInvalidFieldError('passkey', messages.refused)
