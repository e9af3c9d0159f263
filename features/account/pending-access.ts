import type { Config } from '#core/config.ts'
import type { Tx } from '#core/database/database.ts'
import { deletePendingEmailChangeAndMails } from './email-changes.ts'
import { deleteLogInsOfAccountAwaitingSecondStep } from './log-in-challenges.ts'
import { invalidatePasswordResetsOfAccount } from './password-resets.ts'

/**
 * Ends what could later give somebody access to a suspended account: the links and codes that set a new
 * password, the log-ins that wait for the second step, and a change of the e-mail address that is not
 * verified.
 */
export async function endPendingLogInsResetsAndEmailChange(config: Config, tx: Tx, user_id: number) {
  await invalidatePasswordResetsOfAccount(tx, user_id)
  await deleteLogInsOfAccountAwaitingSecondStep(tx, user_id)
  await deletePendingEmailChangeAndMails(config, tx, user_id)
}
