import type { Config } from '#core/config.ts'
import type { Tx } from '#core/database/database.ts'
import { deletePendingEmailChange } from './email-changes.ts'
import { deleteLogInChallengesOfAccount } from './log-in-challenges.ts'
import { invalidatePasswordResets } from './password-resets.ts'

/**
 * Ends what could later give access to a suspended account: the links and codes that set a new password, the
 * log-ins that wait for the second step, and a change of the e-mail address that is not verified.
 */
export async function endPendingAccess(config: Config, tx: Tx, user_id: number) {
  await invalidatePasswordResets(tx, user_id)
  await deleteLogInChallengesOfAccount(tx, user_id)
  await deletePendingEmailChange(config, tx, user_id)
}
