import type { CacheDependency, Db, Tx } from '#core/database/database.ts'
import type { RequestContext } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import { hashSession } from '#core/realtime/authorisation.ts'
import type { SessionIds } from '#features/people/sessions.ts'
import * as sessions from '#features/people/sessions.ts'
import type { passkeyEndpoints } from './contract.ts'
import * as oneTimeCodes from './one-time-codes.ts'
import * as passkeys from './passkeys.ts'

// If the community requires a second step, admins and moderators have no special rights in a session without:
// features/people/sessions.ts asks about each session.

/**
 * For the session store. Protected are all sessions of an account with one-time codes, because each log-in
 * with a password asks for one, and sessions in which a passkey was used, because its device has checked the
 * person. A password alone does not protect, even if the account has passkeys. After a passkey is removed,
 * the sessions that used it last lose the protection: the device may be lost.
 */
export const secondStepCheck = {
  tables: ['one_time_secrets', 'passkeys'] satisfies CacheDependency[],
  has: async (db: Db, { user_id, passkey_id }: SessionIds) =>
    (await oneTimeCodes.isOn(db, user_id)) ||
    (passkey_id !== null && (await passkeys.has(db, user_id, passkey_id))),
}

export async function filterProtected(db: Db, ids: readonly number[]) {
  const [withCodes, withPasskey] = await Promise.all([
    oneTimeCodes.filterMembers(db, ids),
    passkeys.filterMembers(db, ids),
  ])
  return withCodes.union(withPasskey)
}

export async function isSessionProtected(tx: Tx, token: string) {
  const session = await sessions.find(tx, hashSession(token))
  return session !== undefined && secondStepCheck.has(tx, session)
}

/**
 * 403 for admins and moderators who must have a second step, have passkeys, and used only the password in
 * this session. Handlers that change passkeys and codes call this first: otherwise somebody with a stolen
 * password could add a second step, and so get the rights.
 */
export async function requirePasskeyUse({
  db,
  me,
}: Pick<RequestContext<(typeof passkeyEndpoints)['remove']>, 'db' | 'me'>) {
  if (me.needs_second_step && (await passkeys.has(db, me.id)))
    throw new HttpError(403, {
      en: 'Your account has passkeys, and admins and moderators need a second step. Log in with one of your passkeys first.',
      ja: '管理者とモデレーターは、パスキーか2段階認証でのログインが必要です。登録済みのパスキーで、ログインし直してください。',
    })
}
