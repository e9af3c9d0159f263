import { createRandomToken, hashToken } from '#core/crypto.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { hashSessionToken } from '#core/realtime/authorisation.ts'
import { readSessionMemberAndPasskeyIds } from '#features/people/sessions.ts'
import type { DeviceLogInLinkStateAndExpiry } from './device-link-contract.ts'

// A device link logs a member in on another device. The link belongs to the session that created it, and is
// deleted with that session (`on delete cascade`). So a thief whose session has ended cannot log in again
// with a link that the thief created before.

/** The time for which a device link is valid after its creation, in ms. */
const LIFETIME = 5 * 60_000

/**
 * Returns the time when a device link expires that was created at `created_at`. Both times are in ISO format.
 */
const toEnd = (created_at: string) => new Date(Date.parse(created_at) + LIFETIME).toISOString()

const oldestValidTime = () => new Date(Date.now() - LIFETIME).toISOString()

const message = {
  en: 'This code is not valid any more. Please create a new one on your other device.',
  ja: 'このコードはもう使えません。もう1台の端末で、新しいコードを表示してください。',
}

const createInvalidLinkError = () => createInvalidFieldError('token', message)

/**
 * Creates a device link of a member, and deletes the member's earlier link. `sessionToken` is the token of
 * the session that creates the link. Returns the token of the link, which is not stored, and the time when
 * the link expires.
 */
export async function createDeviceLogInLinkAndReturnToken(tx: Tx, user_id: number, sessionToken: string) {
  const token = createRandomToken()
  const created_at = currentIsoTime()
  await deleteDeviceLogInLinkOfMember(tx, user_id)
  await tx
    .insertInto('device_links')
    .values({
      user_id,
      token_hash: hashToken(token),
      session_hash: hashSessionToken(sessionToken),
      created_at,
      used_at: null,
    })
    .execute()
  return { token, expires_at: toEnd(created_at) }
}

/**
 * Returns the state of a member's newest device link (open, used, or ended without being used), and the time
 * when it expires. A member without a link gets `ended` and null.
 */
export async function readDeviceLogInLinkStateAndExpiry(
  db: Db,
  user_id: number,
): Promise<DeviceLogInLinkStateAndExpiry> {
  const link = await db
    .selectFrom('device_links')
    .select(['created_at', 'used_at'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  if (!link) return { state: 'ended', expires_at: null }
  const expires_at = toEnd(link.created_at)
  if (link.used_at) return { state: 'used', expires_at }
  return { state: link.created_at > oldestValidTime() ? 'open' : 'ended', expires_at }
}

/**
 * Returns the id of the member to whom the open device link with this token belongs. Throws 422 if there is
 * no such link.
 */
export async function requireUserIdOfOpenDeviceLogInLink(db: Db, token: string) {
  const link = await db
    .selectFrom('device_links')
    .select('user_id')
    .where('token_hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('created_at', '>', oldestValidTime())
    .executeTakeFirst()
  if (!link) throw createInvalidLinkError()
  return link.user_id
}

/**
 * Marks an open device link as used, and returns the id of the passkey that was last used in the session that
 * created the link; null if no passkey was used in that session. Throws 422 if the link is not open. If two
 * transactions use the same link, only the first succeeds.
 */
export async function consumeDeviceLogInLinkAndReadSessionPasskeyId(tx: Tx, token: string) {
  const used = await tx
    .updateTable('device_links')
    .set({ used_at: currentIsoTime() })
    .where('token_hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('created_at', '>', oldestValidTime())
    .returning('session_hash')
    .executeTakeFirst()
  if (!used) throw createInvalidLinkError()
  const session = await readSessionMemberAndPasskeyIds(tx, used.session_hash)
  return session?.passkey_id ?? null
}

/**
 * Deletes the device link of a member. Functions that end the member's other sessions also call this
 * function, because another person who used the current session may have created the link.
 */
export const deleteDeviceLogInLinkOfMember = (tx: Tx, user_id: number) =>
  tx.deleteFrom('device_links').where('user_id', '=', user_id).execute()

export const deleteExpiredDeviceLogInLinks = (tx: Tx) =>
  tx.deleteFrom('device_links').where('created_at', '<=', oldestValidTime()).execute()
