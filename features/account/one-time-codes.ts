import { randomBytes } from 'node:crypto'
import type { Config } from '#core/config.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import { decryptSecret, encryptSecret } from './secret-encryption.ts'
import { findUnusedTotpCounterOfCode } from './totp.ts'

// The functions of this file store the secrets of authenticator apps and check their one-time codes, which
// are the second step of a log-in. Each account has at most one app.

/** The length of the secret of an authenticator app in bytes: 160 bits, as RFC 4226 recommends. */
const SECRET_LENGTH = 20
const PURPOSE = 'one-time codes'

/**
 * Returns whether the second step of the member is on: the member has an authenticator app and has confirmed
 * it with a code. Passkeys do not count (see `filterMemberIdsWithAuthenticatorAppOrPasskey`).
 */
export const hasConfirmedAuthenticatorApp = async (db: Db, user_id: number) =>
  (await readAuthenticatorAppConfirmationTime(db, user_id)) !== null

/**
 * Returns the time when the member confirmed the authenticator app; null if the member has no confirmed app.
 */
export async function readAuthenticatorAppConfirmationTime(db: Db, user_id: number) {
  const row = await db
    .selectFrom('one_time_secrets')
    .select('confirmed_at')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.confirmed_at ?? null
}

/** Returns a set with the ids of those of the given members who have a confirmed authenticator app. */
export async function filterMemberIdsWithAuthenticatorApp(db: Db, ids: readonly number[]) {
  if (!ids.length) return new Set<number>()
  const rows = await db
    .selectFrom('one_time_secrets')
    .select('user_id')
    .where('user_id', 'in', ids)
    .where('confirmed_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

/**
 * Creates and stores a secret for an authenticator app, and returns it as bytes. The new secret replaces an
 * earlier secret that was not confirmed. Throws 422 if the member has a confirmed secret.
 */
export async function createAndStoreAuthenticatorAppSecret(config: Config, tx: Tx, user_id: number) {
  const secret = randomBytes(SECRET_LENGTH)
  const row = {
    user_id,
    secret: encryptSecret(config, PURPOSE, user_id, secret),
    last_counter: 0,
    created_at: currentIsoTime(),
  }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('one_time_secrets')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(row).where('one_time_secrets.confirmed_at', 'is', null),
    )
    .executeTakeFirstOrThrow()
  if (!numInsertedOrUpdatedRows)
    throw new HttpError(422, {
      en: 'The second step is already on. Turn it off first to use another app.',
      ja: '2段階認証はすでに有効です。別のアプリを使うには、先に無効にしてください。',
    })
  return secret
}

/** Returns whether a code belongs to the secret of the member that is not confirmed yet. */
export const isCodeOfUnconfirmedAuthenticatorApp = async (
  config: Config,
  db: Db,
  user_id: number,
  code: string,
) => (await findCounter(config, db, user_id, code, 'is')) !== undefined

/**
 * Turns the member's second step on if the code belongs to the secret that is not confirmed yet. Returns
 * false if it does not.
 */
export async function confirmAuthenticatorAppIfCodeMatches(
  config: Config,
  tx: Tx,
  user_id: number,
  code: string,
) {
  const found = await findCounter(config, tx, user_id, code, 'is')
  if (!found) return false
  const { numUpdatedRows } = await tx
    .updateTable('one_time_secrets')
    .set({ last_counter: found.counter, confirmed_at: currentIsoTime() })
    .where('user_id', '=', user_id)
    .where('secret', '=', found.secret)
    .where('confirmed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

/**
 * Returns whether a one-time code is right, and marks it as used. Each code works once: the statement that
 * compares the counter of the code with the last used counter also stores the counter of the code. So if two
 * requests send the same code, only one of them succeeds.
 */
export async function consumeOneTimeCode(config: Config, tx: Tx, user_id: number, code: string) {
  const found = await findCounter(config, tx, user_id, code, 'is not')
  if (!found) return false
  const { numUpdatedRows } = await tx
    .updateTable('one_time_secrets')
    .set({ last_counter: found.counter })
    .where('user_id', '=', user_id)
    .where('secret', '=', found.secret)
    .where('last_counter', '<', found.counter)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

/**
 * Returns the counter of a one-time code, with the encrypted secret to which the code belongs. Returns
 * undefined if the code is wrong or was used. `confirmed` compares `confirmed_at` with null: `is` finds only
 * a secret that is not confirmed yet, `is not` only a confirmed one.
 */
async function findCounter(
  config: Config,
  db: Db,
  user_id: number,
  code: string,
  confirmed: 'is' | 'is not',
) {
  const row = await db
    .selectFrom('one_time_secrets')
    .select(['secret', 'last_counter'])
    .where('user_id', '=', user_id)
    .where('confirmed_at', confirmed, null)
    .executeTakeFirst()
  const secret = row && decryptSecret(config, PURPOSE, user_id, row.secret)
  const counter = secret && findUnusedTotpCounterOfCode(secret, code, row.last_counter, Date.now())
  return counter ? { counter, secret: row.secret } : undefined
}

/** Returns how many members' second steps cannot be checked, because SECRET has another value now. */
export async function countUnreadableAuthenticatorApps(config: Config, db: Db) {
  const rows = await db
    .selectFrom('one_time_secrets')
    .select(['user_id', 'secret'])
    .where('confirmed_at', 'is not', null)
    .execute()
  return rows.filter(({ user_id, secret }) => !decryptSecret(config, PURPOSE, user_id, secret)).length
}

/**
 * Deletes the secret of a member's authenticator app. If `since` is given, keeps a secret that was confirmed
 * before that time. Returns whether a confirmed secret was deleted, that is, whether the second step was on
 * and is now off.
 */
export async function deleteAuthenticatorAppSecret(tx: Tx, user_id: number, since = '') {
  const deleted = await tx
    .deleteFrom('one_time_secrets')
    .where('user_id', '=', user_id)
    .where((secret) => secret.or([secret('confirmed_at', 'is', null), secret('confirmed_at', '>=', since)]))
    .returning('confirmed_at')
    .executeTakeFirst()
  return Boolean(deleted?.confirmed_at)
}
