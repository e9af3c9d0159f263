import type { Config } from '#core/config.ts'
import type { Tx } from '#core/database/database.ts'
import * as emailChanges from './email-changes.ts'
import * as challenges from './log-in-challenges.ts'
import * as resets from './password-resets.ts'

/** For a suspended account: resets, log-ins that wait for the second step, and a change of the address. */
export async function endPendingAccess(config: Config, tx: Tx, user_id: number) {
  await resets.endAll(tx, user_id)
  await challenges.removeAll(tx, user_id)
  await emailChanges.removePending(config, tx, user_id)
}
