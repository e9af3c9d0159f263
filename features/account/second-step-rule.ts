import type { Db, QueryCacheDependency, Tx } from '#core/database/database.ts'
import type { RequestContext } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import { hashSessionToken } from '#core/realtime/authorisation.ts'
import { readSessionMemberAndPasskeyIds, type SessionMemberAndPasskeyIds } from '#features/people/sessions.ts'
import { filterMemberIdsWithAuthenticatorApp, hasConfirmedAuthenticatorApp } from './one-time-codes.ts'
import type { passkeyEndpoints } from './passkey-contract.ts'
import { filterMemberIdsWithPasskey, hasPasskey } from './passkeys.ts'

// The functions of this file say which sessions are protected by a second step, and which members have one.
// If the community requires a second step, admins and moderators have no special rights in a session without
// one; features/people/sessions.ts asks `sessionSecondStepCheckAndTablesItReads` about each session.

/**
 * The check with which the session store finds out whether a session is protected by a second step, and the
 * tables that it reads. Protected are all sessions of an account with one-time codes, because each log-in
 * with a password asks for a code; and sessions in which a passkey was used, because the passkey proves that
 * the person has the device, and the device has checked the person. A session with only the password is not
 * protected, even if the account has passkeys. After the member has removed a passkey, the sessions in which
 * it was used last are no longer protected: the device may be lost.
 */
export const sessionSecondStepCheckAndTablesItReads = {
  tables: ['one_time_secrets', 'passkeys'] satisfies QueryCacheDependency[],
  has: async (db: Db, { user_id, passkey_id }: SessionMemberAndPasskeyIds) =>
    (await hasConfirmedAuthenticatorApp(db, user_id)) ||
    (passkey_id !== null && (await hasPasskey(db, user_id, passkey_id))),
}

/**
 * Returns a set with the ids of those of the given members who can log in with a second step: they have a
 * confirmed authenticator app or a passkey.
 */
export async function filterMemberIdsWithAuthenticatorAppOrPasskey(db: Db, ids: readonly number[]) {
  const [withCodes, withPasskey] = await Promise.all([
    filterMemberIdsWithAuthenticatorApp(db, ids),
    filterMemberIdsWithPasskey(db, ids),
  ])
  return withCodes.union(withPasskey)
}

/** Returns whether the session with this token is protected by a second step. */
export async function isSessionProtectedBySecondStep(tx: Tx, token: string) {
  const session = await readSessionMemberAndPasskeyIds(tx, hashSessionToken(token))
  return session !== undefined && sessionSecondStepCheckAndTablesItReads.has(tx, session)
}

/**
 * Throws 403 if the member is an admin or moderator who must have a second step, has passkeys, and has used
 * only the password in this session. The handlers that change passkeys and one-time codes call this function
 * first: otherwise somebody with a stolen password could add a second step, and so get the rights of the
 * admin.
 */
export async function requireAdminWithPasskeysToHaveUsedOne({
  db,
  me,
}: Pick<RequestContext<(typeof passkeyEndpoints)['remove']>, 'db' | 'me'>) {
  if (me.needs_second_step && (await hasPasskey(db, me.id)))
    throw new HttpError(403, {
      en: 'Your account has passkeys, and admins and moderators need a second step. Log in with one of your passkeys first.',
      ja: 'このアカウントにはパスキーがあり、管理者とモデレーターには2段階認証が必要です。先にパスキーでログインしてください。',
    })
}
