import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import type { Client } from '#core/http/client.ts'
import { HttpError } from '#core/http/errors.ts'
import * as securityLog from '#features/people/security-log.ts'
import * as challenges from './log-in-challenges.ts'
import { sendSecurityMail } from './notices.ts'

// Wrong one-time codes, recovery codes and passkeys of an account, from all browsers. They need the password
// or a session of the account, so the owner is told, and too many stop the second step until the owner, an
// admin or the operator acts. OWASP ASVS 6.3.1 asks for such a limit, NIST SP 800-63B for at most 100
// failures.

/** In ms, from the first failure. */
const PERIOD = 24 * 3600_000
/** Then the owner gets a mail. */
const NOTICE_FAILURE = 10
/**
 * Then the second step is stopped. Until then, a stranger with the password guesses a one-time code with a
 * chance of 1 in 3,333, because three codes are right at each moment.
 */
const LAST_FAILURE = 100

type FailureContext = Pick<AppContext, 'config' | 'publicSite'> & {
  client: Client
  lang: Language
}

/** 403 otherwise. */
export async function requireNotStopped(db: Db, user_id: number) {
  const row = await db
    .selectFrom('second_step_failures')
    .select('stopped_at')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  if (row?.stopped_at)
    throw new HttpError(403, {
      en: 'Too many codes were wrong. To log in again, set a new password with “Forgot your password?”, or ask an admin for help.',
      ja: 'コードの間違いが続いたため、コードでのログインを止めています。「パスワードをお忘れですか？」から新しいパスワードを設定するか、管理者にご相談ください。',
    })
}

/**
 * In the transaction of the check, and in the security log. The tenth in a day mails the owner. The hundredth
 * stops the second step, even for a right code, until for example a new password; it also ends the log-ins
 * that wait and mails the owner. The caller has locked the account.
 */
export async function record(context: FailureContext, tx: Tx, user: number) {
  const { network } = context.client
  await securityLog.record(tx, user, 'second_step_failed', { network })
  const count = await countFailure(tx, user)
  // No `client`, because a stranger may have made the request: the mails are in the language of the member.
  const { lang } = context
  if (count === NOTICE_FAILURE)
    await sendSecurityMail(context, tx, { user, lang, kind: 'second_step_failing' })
  if (count < LAST_FAILURE) return
  await tx
    .updateTable('second_step_failures')
    .set({ stopped_at: isoNow() })
    .where('user_id', '=', user)
    .execute()
  await challenges.removeAll(tx, user)
  await securityLog.record(tx, user, 'second_step_stopped', { network })
  await sendSecurityMail(context, tx, { user, lang, kind: 'second_step_stopped' })
}

/** In the period. Deletes the counts of all accounts whose period is over, except stopped ones. */
async function countFailure(tx: Tx, user_id: number) {
  await tx
    .deleteFrom('second_step_failures')
    .where('stopped_at', 'is', null)
    .where('began_at', '<=', new Date(Date.now() - PERIOD).toISOString())
    .execute()
  const { count } = await tx
    .insertInto('second_step_failures')
    .values({ user_id, count: 1, began_at: isoNow(), stopped_at: null })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((row) => ({ count: row('second_step_failures.count', '+', 1) })),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  return count
}

/**
 * After a new password (on the account page only with a confirmed identity), the undo of a change of the
 * address, and the removal of the second step. Not after a right code: a stranger may be guessing meanwhile.
 */
export const clear = (tx: Tx, user_id: number) =>
  tx.deleteFrom('second_step_failures').where('user_id', '=', user_id).execute()
