import type { Tx } from '#core/database/database.ts'
import type { RealtimeServer } from '#core/realtime/server.ts'
import { endAllSessionsOfMember } from '#features/people/sessions.ts'
import { deleteLogInsOfAccountAwaitingSecondStep } from './log-in-challenges.ts'
import { deletePasskeyChallengesOfSessions } from './passkeys.ts'
import { invalidatePasswordResetsOfAccount } from './password-resets.ts'

/**
 * Ends the access to an account that browsers have or may soon get: deletes the sessions, the log-ins that
 * wait for the second step, and the challenges that a passkey has not signed yet. Also makes the links and
 * codes that set a new password invalid. The password and the passkeys stay; the caller changes or deletes
 * them if they must not work any more. The caller must have locked the account.
 */
export async function endSessionsPendingLogInsAndResets(tx: Tx, realtime: RealtimeServer, user_id: number) {
  const sessions = await endAllSessionsOfMember(tx, realtime, user_id)
  const logIns = await deleteLogInsOfAccountAwaitingSecondStep(tx, user_id)
  await deletePasskeyChallengesOfSessions(tx, [...sessions, ...logIns])
  await invalidatePasswordResetsOfAccount(tx, user_id)
}
