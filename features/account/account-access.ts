import type { Tx } from '#core/database/database.ts'
import type { RealtimeServer } from '#core/realtime/server.ts'
import * as memberSessions from '#features/people/sessions.ts'
import * as challenges from './log-in-challenges.ts'
import * as passkeys from './passkeys.ts'
import * as resets from './password-resets.ts'

/** Also ends the challenges. Password and passkeys stay. The caller must have locked the account. */
export async function endAccountAccess(tx: Tx, realtime: RealtimeServer, user_id: number) {
  const sessions = await memberSessions.endAll(tx, realtime, user_id)
  const logIns = await challenges.removeAll(tx, user_id)
  await passkeys.removeChallenges(tx, [...sessions, ...logIns])
  await resets.endAll(tx, user_id)
}
