import type { Config } from '#core/config.ts'
import type { Tx } from '#core/database/database.ts'
import { deletePendingEmailChange } from './email-changes.ts'
import { deleteLogInChallengesOf } from './log-in-challenges.ts'
import { invalidatePasswordResets } from './password-resets.ts'

/**
 * Ends what is under way for an account that is suspended: links and codes for a new password, log-ins that
 * wait for the second step, and a change of the address. Otherwise they would work again, or complete, later.
 */
export async function endPendingAccess(config: Config, tx: Tx, user_id: number) {
  await invalidatePasswordResets(tx, user_id)
  await deleteLogInChallengesOf(tx, user_id)
  await deletePendingEmailChange(config, tx, user_id)
}
