import type { Tx } from '#core/database/database.ts'
import type { RealtimeServer } from '#core/realtime/server.ts'
import { endAllSessions } from '#features/people/sessions.ts'
import { deleteLogInChallengesOf } from './log-in-challenges.ts'
import { deleteChallengesOfSessions } from './passkeys.ts'
import { invalidatePasswordResets } from './password-resets.ts'

/**
 * Ends whatever is open or on its way into an account: sessions, log-ins that wait for the second step,
 * challenges of passkeys, and links and codes that set a new password. The caller has locked the account.
 */
export async function endAllAccess(tx: Tx, realtime: RealtimeServer, user_id: number) {
  const sessions = await endAllSessions(tx, realtime, user_id)
  const logIns = await deleteLogInChallengesOf(tx, user_id)
  await deleteChallengesOfSessions(tx, [...sessions, ...logIns])
  await invalidatePasswordResets(tx, user_id)
}
