import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { createToken, hashToken } from '#core/crypto.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { createCode } from '#core/typed-codes.ts'
import { withLockedAccount } from '#features/people/accounts.ts'
import { findCredentials } from '#features/people/credentials.ts'
import { hashCode } from './codes.ts'
import { createResetMail } from './reset-mails.ts'

const MINUTE = 60_000
/** A link or a code is valid for this time, in ms. */
const LIFETIME = 30 * MINUTE
/** The maximum number of links of an account that are valid at the same time. */
const MAX_LINKS = 3
/** Three groups have 60 bits. */
const CODE_GROUPS = 3

const ago = (time: number) => new Date(Date.now() - time).toISOString()

declare module '#core/jobs/jobs.ts' {
  interface JobKinds {
    /** Sends a link to the account of an address. Does nothing if there is none. */
    password_reset_mail: { email: string; lang: Language }
  }
}

/**
 * Sends the mail with the link that resets the password. Does nothing if no account has the address, if the
 * account is suspended, or if MAX_LINKS of its links are valid: the owner has these in the mailbox. Older
 * links stay valid, so that a stranger who requests links cannot make the owner's useless.
 */
export async function sendResetMail(context: AppContext, { email, lang }: { email: string; lang: Language }) {
  const found = await findCredentials(context.db, email)
  if (!found) return
  await withLockedAccount(context, found.id, async (tx, account) => {
    await deleteOldPasswordResets(tx)
    if (account.suspended_at || (await countLinks(tx, found.id)) >= MAX_LINKS) return
    const token = createToken()
    await insertPasswordReset(tx, found.id, 'mail', hashToken(token))
    await enqueueMail(tx, found.id, createResetMail(context, lang, { ...account, token }))
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
 * Creates a code with which a member sets a new password. An admin gives it to the member. It replaces an
 * earlier code. Only this response contains it.
 */
export async function createResetCode(tx: Tx, user_id: number) {
  const code = createCode(CODE_GROUPS)
  await deleteOldPasswordResets(tx)
  await tx.deleteFrom('password_resets').where('user_id', '=', user_id).where('kind', '=', 'code').execute()
  await insertPasswordReset(tx, user_id, 'code', hashCode(user_id, code))
  return code
}

const insertPasswordReset = (tx: Tx, user_id: number, kind: 'mail' | 'code', token_hash: string) =>
  tx
    .insertInto('password_resets')
    .values({ token_hash, user_id, kind, created_at: currentIsoTime(), ended_at: null })
    .execute()

/** Returns the id of the account of a link or code, also of one that is not valid any more. */
export async function findResetAccount(tx: Tx, token_hash: string) {
  const row = await tx
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  return row?.user_id
}

/**
 * Uses up the link of a mail, or a code of an admin. Returns the id of its account; undefined if the link or
 * code is wrong, old or used. Of two transactions with the same one, one gets undefined.
 */
export async function consumePasswordReset(tx: Tx, kind: 'mail' | 'code', token_hash: string) {
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

/** Makes all open links and codes of an account invalid. */
export const invalidatePasswordResets = (tx: Tx, user_id: number) =>
  tx
    .updateTable('password_resets')
    .set({ ended_at: currentIsoTime() })
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .execute()

export const deleteOldPasswordResets = (tx: Tx) =>
  tx.deleteFrom('password_resets').where('created_at', '<=', ago(LIFETIME)).execute()
