import { type Db, hasMatchingRow, isoNow, type Tx } from '#core/database/database.ts'
import { lockName, transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import { hashSession } from '#core/realtime/authorisation.ts'
import { isUsableHash } from '#features/people/passwords.ts'
import type { AccountTables } from './tables.ts'

// Passkeys, and the challenges that they sign (WebAuthn level 3, https://www.w3.org/TR/webauthn-3/).

const MAX_PASSKEYS = 20

/** In ms. */
export const CHALLENGE_LIFETIME = 5 * 60_000

/** A challenge for one purpose is not accepted for another. */
export type ChallengePurpose = AccountTables['passkey_challenges']['purpose']

const oldestValid = () => new Date(Date.now() - CHALLENGE_LIFETIME).toISOString()

/** Also deletes the expired challenges of all sessions. */
export async function addChallenge(tx: Tx, token: string, purpose: ChallengePurpose, challenge: string) {
  await tx.deleteFrom('passkey_challenges').where('created_at', '<=', oldestValid()).execute()
  const row = { session_hash: hashSession(token), challenge, purpose, created_at: isoNow() }
  await tx.insertInto('passkey_challenges').values(row).execute()
}

/**
 * Accepted only once, also if the check of the signature then fails. False if there is none, or it has
 * expired.
 */
export const consumeChallenge = (db: Db, token: string, purpose: ChallengePurpose, challenge: string) =>
  transaction(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('passkey_challenges')
      .where('session_hash', '=', hashSession(token))
      .where('challenge', '=', challenge)
      .where('purpose', '=', purpose)
      .where('created_at', '>', oldestValid())
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0
  })

/** The hashes are those of session cookies. */
export async function removeChallenges(tx: Tx, hashes: readonly string[]) {
  if (hashes.length) await tx.deleteFrom('passkey_challenges').where('session_hash', 'in', hashes).execute()
}

/** Oldest first, at most `MAX_PASSKEYS`. */
export const list = (db: Db, user_id: number) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute()

/** Any passkey, or the one with this `id`. */
export const has = (db: Db, user_id: number, id?: number) =>
  hasMatchingRow(
    db
      .selectFrom('passkeys')
      .select('id')
      .where('user_id', '=', user_id)
      .$if(id !== undefined, (query) => query.where('id', '=', id!)),
  )

export async function filterMembers(db: Db, ids: readonly number[]) {
  if (!ids.length) return new Set<number>()
  const rows = await db
    .selectFrom('passkeys')
    .select('user_id')
    .distinct()
    .where('user_id', 'in', ids)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

/** The credential ids and transports with which a browser finds the passkeys. */
export async function listDescriptors(db: Db, user_id: number) {
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

export const find = (db: Db, credential_id: string) =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credential_id).executeTakeFirst()

export type StoredPasskey = NonNullable<Awaited<ReturnType<typeof find>>>

type NewPasskey = Omit<StoredPasskey, 'id' | 'created_at' | 'last_used_at'>

/** 422 if the account has too many, or any account has this passkey already. */
export async function add(tx: Tx, passkey: NewPasskey) {
  // Concurrent requests on PostgreSQL could exceed the maximum.
  await lockName(tx, 'passkeys')
  const own = await list(tx, passkey.user_id)
  if (own.length >= MAX_PASSKEYS) throw fieldError('passkey', messages.tooMany)
  const row = await tx
    .insertInto('passkeys')
    .values({ ...passkey, created_at: isoNow(), last_used_at: null })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(['id', 'name', 'created_at', 'last_used_at'])
    .executeTakeFirst()
  if (!row) throw fieldError('passkey', messages.known)
  return row
}

/** Undefined if the member has no such passkey. */
export const rename = (tx: Tx, user_id: number, id: number, name: string) =>
  tx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .returning(['id', 'name', 'created_at', 'last_used_at'])
    .executeTakeFirst()

/** False if the member has no such passkey. */
export async function remove(tx: Tx, user_id: number, id: number) {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0
}

/** 403 without a passkey, a usable password, and an address to which a link for a new one can be sent. */
export async function requireWayIn(
  tx: Tx,
  { id, email, password_hash }: { id: number; email: string | null; password_hash: string },
) {
  if (email === null && !isUsableHash(password_hash) && !(await has(tx, id)))
    throw new HttpError(403, {
      en: 'This passkey is the only way into your account. Add another passkey or an email address first, or ask an admin for a code for a password.',
      ja: 'このパスキーを削除すると、ログインできなくなります。先に別のパスキーかメールアドレスを追加するか、管理者からパスワード用のコードをもらってください。',
    })
}

/** Somebody else may have added one of them. */
export const removeAll = (tx: Tx, user_id: number) =>
  tx.deleteFrom('passkeys').where('user_id', '=', user_id).execute()

/** 422 if the passkey was removed, or used with this or a higher counter, since the signature was checked. */
export async function recordUse(tx: Tx, { id }: Pick<StoredPasskey, 'id'>, counter: number) {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, last_used_at: isoNow() })
    .where('id', '=', id)
    // Many authenticators do not count their signatures: always 0.
    .where((passkey) =>
      passkey.or([
        passkey('counter', '<', counter),
        passkey.and([passkey('counter', '=', 0), passkey.val(counter === 0)]),
      ]),
    )
    .executeTakeFirstOrThrow()
  if (!numUpdatedRows) throw refused()
}

const messages = {
  tooMany: {
    en: `An account can have at most ${MAX_PASSKEYS} passkeys. Please remove one first.`,
    ja: `パスキーは${MAX_PASSKEYS}個までです。先に1つ削除してください。`,
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

/** 422 for every passkey that is not accepted. Does not say why. */
export const refused = () => fieldError('passkey', messages.refused)
