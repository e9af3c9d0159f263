import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import * as credentials from '#features/people/credentials.ts'
import * as securityLog from '#features/people/security-log.ts'
import * as sessions from '#features/people/sessions.ts'
import * as emailChanges from './email-changes.ts'
import * as challenges from './log-in-challenges.ts'
import { sendSecurityMail } from './notices.ts'
import * as oneTimeCodes from './one-time-codes.ts'
import * as passkeys from './passkeys.ts'
import * as resets from './password-resets.ts'
import * as failures from './second-step-failures.ts'

// For the command line, also while a server runs. Each action goes to the member's security log, without an
// actor; all but `endSessions` tell the owner by mail.

type OperatorContext = Pick<AppContext, 'config' | 'publicSite'>

/** Also ends sessions, pending log-ins, resets and changes of the address; second step and passkeys stay. */
export async function setPassword(context: OperatorContext, tx: Tx, user: number, hash: string) {
  await credentials.saveHash(tx, user, hash)
  await sessions.endAll(tx, null, user)
  await challenges.removeAll(tx, user)
  await resets.endAll(tx, user)
  await failures.clear(tx, user)
  await emailChanges.removePending(context.config, tx, user)
  await securityLog.record(tx, user, 'password_reset', { by_operator: true })
  await sendSecurityMail(context, tx, { user, kind: 'password_set_by_operator', lang: 'en' })
}

/** The password alone then logs in. False if the member has neither. */
export async function removeSecondStep(context: OperatorContext, tx: Tx, user: number) {
  const hadCodes = await oneTimeCodes.remove(tx, user)
  const hadPasskeys = (await passkeys.removeAll(tx, user)).some(({ numDeletedRows }) => numDeletedRows > 0)
  if (!hadCodes && !hadPasskeys) return false
  await challenges.removeAll(tx, user)
  await failures.clear(tx, user)
  if (hadCodes) await securityLog.record(tx, user, 'second_step_removed', { by_operator: true })
  if (hadPasskeys) await securityLog.record(tx, user, 'passkey_removed', { by_operator: true })
  await sendSecurityMail(context, tx, { user, kind: 'second_step_removed_by_operator', lang: 'en' })
  return true
}

export async function endSessions(tx: Tx, user: number) {
  const ended = (await sessions.endAll(tx, null, user)).length
  if (ended) await securityLog.record(tx, user, 'session_ended', { by_operator: true })
  return ended
}
