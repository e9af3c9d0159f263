import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import type { RequestClientNetworkAndDevice } from '#core/http/client.ts'
import { HttpError } from '#core/http/errors.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { deleteLogInsOfAccountAwaitingSecondStep } from './log-in-challenges.ts'
import { enqueueSecurityMail } from './notices.ts'

// The functions of this file count the failed second steps of each account: wrong one-time codes, recovery
// codes and passkeys together, from all browsers. A person who can fail the second step knows the password or
// has a session of the account. So the owner is told, and too many failures stop the second step until the
// owner, an admin or the operator acts. OWASP ASVS 6.3.1 asks for such a limit, and NIST SP 800-63B for at
// most 100 failures.

/**
 * The period in which failed second steps of an account are counted, in ms. It begins with the first failure.
 */
const PERIOD = 24 * 3600_000
/** The number of failures in a period after which the owner gets a mail. */
const NOTICE_FAILURE = 10
/**
 * The number of failures in a period after which the second step is stopped. A stranger who knows the
 * password guesses a one-time code with a chance of 1 in 3,333 until then, because three codes are right at
 * each moment.
 */
const LAST_FAILURE = 100

type FailureContext = Pick<AppContext, 'config' | 'publicSite'> & {
  client: RequestClientNetworkAndDevice
  lang: Language
}

/** Throws 403 if the second step of an account is stopped, because too many second steps have failed. */
export async function requireSecondStepNotBlockedByFailures(db: Db, user_id: number) {
  const row = await db
    .selectFrom('second_step_failures')
    .select('stopped_at')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  if (row?.stopped_at)
    throw new HttpError(403, {
      en: 'Too many codes were wrong. To log in again, set a new password with “Forgot your password?”, or ask an admin for help.',
      ja: 'コードの間違いが多すぎます。ログインするには、「パスワードをお忘れですか？」から新しいパスワードを設定するか、管理者にご相談ください。',
    })
}

/**
 * Records a failed second step in the transaction of the check, and in the security log. Tells the owner by
 * mail after the tenth failure in a day. The hundredth failure stops the second step: even a right code or
 * passkey is refused until, for example, the owner sets a new password. The hundredth failure also ends the
 * log-ins that wait for the second step, and another mail tells the owner. The caller has locked the account.
 */
export async function recordSecondStepFailureAndBlockAtLimit(context: FailureContext, tx: Tx, user: number) {
  const { network } = context.client
  await recordSecurityEvent(tx, user, 'second_step_failed', { network })
  const count = await countFailure(tx, user)
  // The mails below get no `client`, because a stranger may have made the request. So they are in the
  // language of the member; `lang` is used only if the language of the member is unknown.
  const { lang } = context
  if (count === NOTICE_FAILURE)
    await enqueueSecurityMail(context, tx, { user, lang, kind: 'second_step_failing' })
  if (count < LAST_FAILURE) return
  await tx
    .updateTable('second_step_failures')
    .set({ stopped_at: currentIsoTime() })
    .where('user_id', '=', user)
    .execute()
  await deleteLogInsOfAccountAwaitingSecondStep(tx, user)
  await recordSecurityEvent(tx, user, 'second_step_stopped', { network })
  await enqueueSecurityMail(context, tx, { user, lang, kind: 'second_step_stopped' })
}

/**
 * Adds one to the failed second steps of an account, and returns their number in the period. First deletes
 * the counts of all accounts whose period is over, except those whose second step is stopped.
 */
async function countFailure(tx: Tx, user_id: number) {
  await tx
    .deleteFrom('second_step_failures')
    .where('stopped_at', 'is', null)
    .where('began_at', '<=', new Date(Date.now() - PERIOD).toISOString())
    .execute()
  const { count } = await tx
    .insertInto('second_step_failures')
    .values({ user_id, count: 1, began_at: currentIsoTime(), stopped_at: null })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((row) => ({ count: row('second_step_failures.count', '+', 1) })),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Deletes the count of failed second steps of an account, so that a stopped second step works again. Callers
 * do this after a new password (on the account page only in a session with a confirmed identity), after the
 * undo of a change of the e-mail address, and after the second step was removed. A right code does not clear
 * the count, because a stranger may be guessing meanwhile.
 */
export const clearSecondStepFailuresAndUnblock = (tx: Tx, user_id: number) =>
  tx.deleteFrom('second_step_failures').where('user_id', '=', user_id).execute()
