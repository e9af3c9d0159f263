import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { fieldError } from '#core/http/errors.ts'
import { hashSession } from '#core/realtime/authorisation.ts'
import { hashToken, randomToken } from '#core/secrets/crypto.ts'
import * as sessions from '#features/people/sessions.ts'
import type { LinkState } from './contract.ts'

// A link belongs to the session that created it, and is deleted with it (`on delete cascade`): a thief whose
// session has ended cannot log in again with a link of that session.

/** In ms. */
const LIFETIME = 5 * 60_000

/** ISO times. */
const toEnd = (created_at: string) => new Date(Date.parse(created_at) + LIFETIME).toISOString()

const oldestValidTime = () => new Date(Date.now() - LIFETIME).toISOString()

const message = {
  en: 'This code is not valid any more. Please create a new one on your other device.',
  ja: 'このコードはもう使えません。もう1台の端末で、新しいコードを表示してください。',
}

const createInvalidLinkError = () => fieldError('token', message)

/** Deletes the member's earlier link. The token of the link is not stored. */
export async function create(tx: Tx, user_id: number, sessionToken: string) {
  const token = randomToken()
  const created_at = isoNow()
  await remove(tx, user_id)
  await tx
    .insertInto('device_links')
    .values({
      user_id,
      token_hash: hashToken(token),
      session_hash: hashSession(sessionToken),
      created_at,
      used_at: null,
    })
    .execute()
  return { token, expires_at: toEnd(created_at) }
}

/** `ended` and null for a member without a link. */
export async function getState(db: Db, user_id: number): Promise<LinkState> {
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

/** 422 if there is no such link. */
export async function requireOwner(db: Db, token: string) {
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
 * Resolves to the passkey that was last used in the session that created the link, or null. 422 if the link
 * is not open. If two transactions use the same link, only the first succeeds.
 */
export async function consume(tx: Tx, token: string) {
  const used = await tx
    .updateTable('device_links')
    .set({ used_at: isoNow() })
    .where('token_hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('created_at', '>', oldestValidTime())
    .returning('session_hash')
    .executeTakeFirst()
  if (!used) throw createInvalidLinkError()
  const session = await sessions.find(tx, used.session_hash)
  return session?.passkey_id ?? null
}

/** Also where other sessions end: somebody else in the current session may have created the link. */
export const remove = (tx: Tx, user_id: number) =>
  tx.deleteFrom('device_links').where('user_id', '=', user_id).execute()

export const deleteExpired = (tx: Tx) =>
  tx.deleteFrom('device_links').where('created_at', '<=', oldestValidTime()).execute()
