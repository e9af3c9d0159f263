import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { createRandomToken, hashToken } from '#core/crypto.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { enqueueLimitedMailToUnverifiedAddress } from '#core/mail/limits.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { createRandomBase32Code } from '#core/typed-codes.ts'
import { changeAndReadAccountWithRowLock } from '#features/people/accounts.ts'
import { findCredentialsByEmailOrHandle } from '#features/people/credentials.ts'
import { hashTypedCodeWithAccountId } from './codes.ts'
import { createPasswordResetMail } from './reset-mails.ts'

const MINUTE = 60_000
/** The time for which a link or a code that sets a new password is valid, in ms. */
const LIFETIME = 30 * MINUTE
/** The maximum number of links for a new password that are valid at the same time for one account. */
const MAX_LINKS = 3
/** The number of groups of characters in a code for a new password. Three groups have 60 bits. */
const CODE_GROUPS = 3

const ago = (time: number) => new Date(Date.now() - time).toISOString()

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /**
     * The payload of the job that mails a link for a new password to the account with this address. The job
     * does nothing if there is no such account.
     */
    password_reset_mail: { email: string; lang: Language }
  }
}

/**
 * Enqueues a mail with a link that sets a new password. Does nothing if no account has the e-mail address or
 * handle, if the account is suspended, or if MAX_LINKS links of the account are still valid, because the
 * owner has them in the mailbox. A new link does not end older ones: otherwise a stranger could make the
 * owner's link useless by requesting another one. For the same reason, a verified address has no limit of
 * mails in a day.
 */
export async function enqueuePasswordResetMail(
  context: AppContext,
  { email, lang }: { email: string; lang: Language },
) {
  const found = await findCredentialsByEmailOrHandle(context.db, email)
  if (!found) return
  await changeAndReadAccountWithRowLock(context, found.id, async (tx, account) => {
    await deleteExpiredPasswordResets(tx)
    const { name, email: to } = account
    // Checks the address again, because it may have changed since the account was found.
    if (to === null || account.suspended_at || (await countLinks(tx, found.id)) >= MAX_LINKS) return
    const token = createRandomToken()
    await insertPasswordReset(tx, found.id, 'mail', hashToken(token))
    const mail = createPasswordResetMail(context, lang, { name, email: to, token })
    if (account.email_verified_at) await enqueueMail(tx, found.id, mail)
    else await enqueueLimitedMailToUnverifiedAddress(context.config, tx, found.id, mail)
  })
}

async function countLinks(tx: Tx, user_id: number) {
  const valid = await tx
    .selectFrom('password_resets')
    .select('token_hash')
    .where('user_id', '=', user_id)
    .where('kind', '=', 'mail')
    .where('ended_at', 'is', null)
    .where('created_at', '>', ago(LIFETIME))
    .execute()
  return valid.length
}

/**
 * Creates a code with which a member sets a new password, and returns the code for the admin, who gives it to
 * the member. Replaces an earlier code of the member. Only the hash is stored, so nobody can read the code
 * again.
 */
export async function createPasswordResetCode(tx: Tx, user_id: number) {
  const code = createRandomBase32Code(CODE_GROUPS)
  await deleteExpiredPasswordResets(tx)
  await tx.deleteFrom('password_resets').where('user_id', '=', user_id).where('kind', '=', 'code').execute()
  await insertPasswordReset(tx, user_id, 'code', hashTypedCodeWithAccountId(user_id, code))
  return code
}

const insertPasswordReset = (tx: Tx, user_id: number, kind: 'mail' | 'code', token_hash: string) =>
  tx
    .insertInto('password_resets')
    .values({ token_hash, user_id, kind, created_at: currentIsoTime(), ended_at: null })
    .execute()

/**
 * Returns the id of the account to which a link or a code for a new password belongs, even if it is no longer
 * valid; undefined if no link or code has this hash.
 */
export async function findUserIdOfValidOrEndedPasswordReset(tx: Tx, token_hash: string) {
  const row = await tx
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  return row?.user_id
}

/**
 * Marks the link of a mail, or the code of an admin, as used. Returns the id of the account to which it
 * belongs; undefined if the link or code is wrong, expired or used. If two transactions use the same one,
 * only the first gets the id.
 */
export async function consumePasswordResetAndReadUserId(tx: Tx, kind: 'mail' | 'code', token_hash: string) {
  const row = await tx
    .updateTable('password_resets')
    .set({ ended_at: currentIsoTime() })
    .where('token_hash', '=', token_hash)
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .where('created_at', '>', ago(LIFETIME))
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}

/** Makes all open links and codes that set a new password of an account invalid. */
export const invalidatePasswordResetsOfAccount = (tx: Tx, user_id: number) =>
  tx
    .updateTable('password_resets')
    .set({ ended_at: currentIsoTime() })
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .execute()

export const deleteExpiredPasswordResets = (tx: Tx) =>
  tx.deleteFrom('password_resets').where('created_at', '<=', ago(LIFETIME)).execute()
