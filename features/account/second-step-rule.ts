import type { CacheDependency, Db, Tx } from '#core/database/database.ts'
import type { RequestContext } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import { readSessionAuthMethod, type SessionAuthMethod } from '#features/people/sessions.ts'
import { hasSecondStep } from './one-time-codes.ts'
import type { passkeyEndpoints } from './passkey-contract.ts'
import { hasPasskey } from './passkeys.ts'

// The rule that admins need a second step, if the community requires it.

/**
 * Tells the session store which sessions are protected by a second step. Those of an account
 * with one-time codes are, because no log-in by password goes without a code. A session in which a passkey
 * was used is one too, because the device has checked the person: the device is one factor, and the
 * fingerprint or the PIN another. A session by password alone is not, although the account has passkeys. If
 * the member has removed all passkeys, no session counts any more.
 */
export const secondStepRule = {
  tables: ['one_time_secrets', 'passkeys'] satisfies CacheDependency[],
  has: async (db: Db, { user_id, passkey_used_at }: SessionAuthMethod) =>
    (await hasSecondStep(db, user_id)) || (passkey_used_at !== null && (await hasPasskey(db, user_id))),
}

/** Whether the session with this token is protected by a second step. */
export async function hasSessionSecondStep(tx: Tx, token: string) {
  const session = await readSessionAuthMethod(tx, token)
  return session !== undefined && secondStepRule.has(tx, session)
}

/**
 * Throws 403 for an admin who has passkeys, must have a second step, and has used only the password. Changes
 * of passkeys and one-time codes call this first: otherwise a stolen password would be enough to add a second
 * step, and so to get the rights of the admin.
 */
export async function requireAdminUsedPasskey({
  db,
  me,
}: Pick<RequestContext<(typeof passkeyEndpoints)['remove']>, 'db' | 'me'>) {
  if (me.needs_second_step && (await hasPasskey(db, me.id)))
    throw new HttpError(403, {
      en: 'Your account has passkeys, and admins need a second step. Log in with one of your passkeys first.',
      ja: 'このアカウントにはパスキーがあり、管理者には2段階認証が必要です。先にパスキーでログインしてください。',
    })
}
