import { randomBytes } from 'node:crypto'
import type { Config } from '#core/config.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import { decryptSecret, encryptSecret } from './secret-encryption.ts'
import { totpCounter } from './totp.ts'

// An authenticator app gives the one-time codes of the second step. Each account has at most one app.

/** In bytes: 160 bits, as RFC 4226 recommends. */
const SECRET_LENGTH = 20
const PURPOSE = 'one-time codes'

/** Passkeys do not count (see `filterProtected`). */
export const isOn = async (db: Db, user_id: number) => (await onSince(db, user_id)) !== null

/** Null without a confirmed app. */
export async function onSince(db: Db, user_id: number) {
  const row = await db
    .selectFrom('one_time_secrets')
    .select('confirmed_at')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.confirmed_at ?? null
}

export async function filterMembers(db: Db, ids: readonly number[]) {
  if (!ids.length) return new Set<number>()
  const rows = await db
    .selectFrom('one_time_secrets')
    .select('user_id')
    .where('user_id', 'in', ids)
    .where('confirmed_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

/** In bytes. Replaces a secret that was not confirmed. 422 if one is confirmed. */
export async function createSecret(config: Config, tx: Tx, user_id: number) {
  const secret = randomBytes(SECRET_LENGTH)
  const row = {
    user_id,
    secret: encryptSecret(config, PURPOSE, user_id, secret),
    last_counter: 0,
    created_at: isoNow(),
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
      ja: '2段階認証は、すでにオンです。別のアプリに変えるには、先にオフにしてください。',
    })
  return secret
}

export const isPendingCode = async (config: Config, db: Db, user_id: number, code: string) =>
  (await findCounter(config, db, user_id, code, 'is')) !== undefined

/** Turns the second step on. False if the code does not belong to the unconfirmed secret. */
export async function confirm(config: Config, tx: Tx, user_id: number, code: string) {
  const found = await findCounter(config, tx, user_id, code, 'is')
  if (!found) return false
  const { numUpdatedRows } = await tx
    .updateTable('one_time_secrets')
    .set({ last_counter: found.counter, confirmed_at: isoNow() })
    .where('user_id', '=', user_id)
    .where('secret', '=', found.secret)
    .where('confirmed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

/** Each code works once, also if two requests send it: one statement compares and stores its counter. */
export async function consume(config: Config, tx: Tx, user_id: number, code: string) {
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
 * Undefined if the code is wrong or was used. `is` finds a secret that is not confirmed yet, `is not` a
 * confirmed one.
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
  const counter = secret && totpCounter(secret, code, row.last_counter, Date.now())
  return counter ? { counter, secret: row.secret } : undefined
}

/** Their second steps cannot be checked, because SECRET has another value now. */
export async function countUnreadable(config: Config, db: Db) {
  const rows = await db
    .selectFrom('one_time_secrets')
    .select(['user_id', 'secret'])
    .where('confirmed_at', 'is not', null)
    .execute()
  return rows.filter(({ user_id, secret }) => !decryptSecret(config, PURPOSE, user_id, secret)).length
}

/** Keeps a secret that was confirmed before `since`. True if the second step was on and is now off. */
export async function remove(tx: Tx, user_id: number, since = '') {
  const deleted = await tx
    .deleteFrom('one_time_secrets')
    .where('user_id', '=', user_id)
    .where((secret) => secret.or([secret('confirmed_at', 'is', null), secret('confirmed_at', '>=', since)]))
    .returning('confirmed_at')
    .executeTakeFirst()
  return Boolean(deleted?.confirmed_at)
}
