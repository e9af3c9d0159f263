import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { acquireNamedLock, transaction } from '#core/database/transaction.ts'
import { invalidFieldError } from '#core/http/errors.ts'
import { hashSessionToken } from '#core/realtime/authorisation.ts'
import type { AccountTables } from './tables.ts'

// Reads and writes the passkeys of members, and the challenges that a passkey signs (WebAuthn level 3,
// https://www.w3.org/TR/webauthn-3/).

/** The maximum number of passkeys of an account. */
const MAX_PASSKEYS = 20

/** A challenge is accepted for this time, in milliseconds. */
export const CHALLENGE_LIFETIME = 5 * 60_000

/** The actions for which a challenge is made. A challenge of one purpose is not accepted for another. */
export type ChallengePurpose = AccountTables['passkey_challenges']['purpose']

const oldestValid = () => new Date(Date.now() - CHALLENGE_LIFETIME).toISOString()

/** Stores a challenge for a session. Also deletes the expired challenges of all sessions. */
export async function insertChallenge(tx: Tx, token: string, purpose: ChallengePurpose, challenge: string) {
  await tx.deleteFrom('passkey_challenges').where('created_at', '<=', oldestValid()).execute()
  const row = { session_hash: hashSessionToken(token), challenge, purpose, created_at: currentIsoTime() }
  await tx.insertInto('passkey_challenges').values(row).execute()
}

/**
 * Deletes a challenge, so that it is accepted only once, also if the check of the signature then fails.
 * Returns false if the session has no such challenge, or if it has expired.
 */
export const consumeChallenge = (db: Db, token: string, purpose: ChallengePurpose, challenge: string) =>
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

/** Deletes the challenges of browsers, by the hashes of their session cookies. */
export async function deleteChallengesOfSessions(tx: Tx, hashes: readonly string[]) {
  if (hashes.length) await tx.deleteFrom('passkey_challenges').where('session_hash', 'in', hashes).execute()
}

/** Lists the passkeys of a member, oldest first. There are at most `MAX_PASSKEYS`. */
export const listPasskeys = (db: Db, user_id: number) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute()

/** Whether a member has a passkey. */
export const hasPasskey = async (db: Db, user_id: number) =>
  (await db
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', user_id)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Lists what a browser needs to find the passkeys of a member. */
export async function listCredentials(db: Db, user_id: number) {
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

/** Finds a passkey by the id that its authenticator gave it. Returns undefined if there is none. */
export const findPasskey = (db: Db, credential_id: string) =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credential_id).executeTakeFirst()

export type Passkey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>

/** The fields of a new passkey. */
type NewPasskey = Omit<Passkey, 'id' | 'created_at' | 'last_used_at'>

/**
 * Stores a new passkey and returns its listed fields. Throws 422 if the account has too many passkeys, or if
 * an account has this one already.
 */
export async function insertPasskey(tx: Tx, passkey: NewPasskey) {
  // Without the lock, concurrent registrations on PostgreSQL could exceed the maximum.
  await acquireNamedLock(tx, 'passkeys')
  const own = await listPasskeys(tx, passkey.user_id)
  if (own.length >= MAX_PASSKEYS) throw invalidFieldError('passkey', messages.tooMany)
  const row = await tx
    .insertInto('passkeys')
    .values({ ...passkey, created_at: currentIsoTime(), last_used_at: null })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(['id', 'name', 'created_at', 'last_used_at'])
    .executeTakeFirst()
  if (!row) throw invalidFieldError('passkey', messages.known)
  return row
}

/**
 * Renames a passkey of a member and returns its listed fields; undefined if the member has no such passkey.
 */
export const renamePasskey = (tx: Tx, user_id: number, id: number, name: string) =>
  tx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .returning(['id', 'name', 'created_at', 'last_used_at'])
    .executeTakeFirst()

/** Removes a passkey of a member. Returns false if the member has no such passkey. */
export async function deletePasskey(tx: Tx, user_id: number, id: number) {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0
}

/** Removes all passkeys of a member, because somebody else may have added one of them. */
export const deleteAllPasskeys = (tx: Tx, user_id: number) =>
  tx.deleteFrom('passkeys').where('user_id', '=', user_id).execute()

/**
 * Records that a passkey was used, with the new value of its signature counter. Throws 422 if the passkey
 * was removed or used meanwhile: then the counter of the row is not lower than the new one.
 */
export async function recordPasskeyUse(tx: Tx, { id }: Pick<Passkey, 'id'>, counter: number) {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, last_used_at: currentIsoTime() })
    .where('id', '=', id)
    // Many authenticators do not count: their counter is always 0.
    .where((passkey) =>
      passkey.or([
        passkey('counter', '<', counter),
        passkey.and([passkey('counter', '=', 0), passkey.val(counter === 0)]),
      ]),
    )
    .executeTakeFirstOrThrow()
  if (!numUpdatedRows) throw passkeyRefusedError()
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

/** Creates the error 422 for every passkey that is not accepted. It does not say why. */
export const passkeyRefusedError = () => invalidFieldError('passkey', messages.refused)
