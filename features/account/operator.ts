import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { savePasswordHash } from '#features/people/credentials.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { endAllSessionsOfMember } from '#features/people/sessions.ts'
import { deletePendingEmailChangeAndMails } from './email-changes.ts'
import { deleteLogInsOfAccountAwaitingSecondStep } from './log-in-challenges.ts'
import { enqueueSecurityMail } from './notices.ts'
import { deleteAuthenticatorAppSecret } from './one-time-codes.ts'
import { deleteAllPasskeysOfMember } from './passkeys.ts'
import { invalidatePasswordResetsOfAccount } from './password-resets.ts'
import { clearSecondStepFailuresAndUnblock } from './second-step-failures.ts'

// The functions of this file let the operator change an account at the command line, also while a server
// runs. Each function records the action in the member's security log, without an actor. All except
// `endAllSessionsOfMemberAsOperator` tell the owner by mail.

type OperatorContext = Pick<AppContext, 'config' | 'publicSite'>

/**
 * Replaces the password of a member. Also ends all sessions and unfinished log-ins of the member, makes the
 * links and codes that set a new password invalid, and deletes a change of the e-mail address that is not
 * verified. The second step and the passkeys stay.
 */
export async function setPasswordAndEndSessionsAsOperator(
  context: OperatorContext,
  tx: Tx,
  user: number,
  hash: string,
) {
  await savePasswordHash(tx, user, hash)
  await endAllSessionsOfMember(tx, null, user)
  await deleteLogInsOfAccountAwaitingSecondStep(tx, user)
  await invalidatePasswordResetsOfAccount(tx, user)
  await clearSecondStepFailuresAndUnblock(tx, user)
  await deletePendingEmailChangeAndMails(context.config, tx, user)
  await recordSecurityEvent(tx, user, 'password_reset', { by_operator: true })
  await enqueueSecurityMail(context, tx, { user, kind: 'password_set_by_operator', lang: 'en' })
}

/**
 * Removes the authenticator app and the passkeys of a member, so that the password alone logs in. Returns
 * false if the member has neither.
 */
export async function removeAuthenticatorAppAndPasskeysAsOperator(
  context: OperatorContext,
  tx: Tx,
  user: number,
) {
  const hadCodes = await deleteAuthenticatorAppSecret(tx, user)
  const hadPasskeys = (await deleteAllPasskeysOfMember(tx, user)).some(
    ({ numDeletedRows }) => numDeletedRows > 0,
  )
  if (!hadCodes && !hadPasskeys) return false
  await deleteLogInsOfAccountAwaitingSecondStep(tx, user)
  await clearSecondStepFailuresAndUnblock(tx, user)
  if (hadCodes) await recordSecurityEvent(tx, user, 'second_step_removed', { by_operator: true })
  if (hadPasskeys) await recordSecurityEvent(tx, user, 'passkey_removed', { by_operator: true })
  await enqueueSecurityMail(context, tx, { user, kind: 'second_step_removed_by_operator', lang: 'en' })
  return true
}

/** Ends all sessions of a member. Returns the number of ended sessions. */
export async function endAllSessionsOfMemberAsOperator(tx: Tx, user: number) {
  const ended = (await endAllSessionsOfMember(tx, null, user)).length
  if (ended) await recordSecurityEvent(tx, user, 'session_ended', { by_operator: true })
  return ended
}
