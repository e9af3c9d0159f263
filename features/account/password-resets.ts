import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import * as mailLimits from '#core/mail/limits.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { hashToken, randomToken } from '#core/secrets/crypto.ts'
import { randomCode } from '#core/secrets/typed-codes.ts'
import * as accounts from '#features/people/accounts.ts'
import * as credentials from '#features/people/credentials.ts'
import { hashTypedCode } from './codes.ts'
import { resetMail } from './reset-mails.ts'

const MINUTE = 60_000
/** In ms. */
const LIFETIME = 30 * MINUTE
/** Valid at the same time, for one account. */
const MAX_LINKS = 3
/** 60 bits. */
const CODE_GROUPS = 3

const ago = (time: number) => new Date(Date.now() - time).toISOString()

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** Does nothing if there is no such account. */
    password_reset_mail: { email: string; lang: Language }
  }
}

/**
 * Nothing without an account, if it is suspended, or if MAX_LINKS are still valid, because the owner has them
 * in the mailbox. A new link does not end older ones: otherwise a stranger could make the owner's link
 * useless by requesting another. So a verified address has no limit of mails in a day, either.
 */
export async function sendMail(context: AppContext, { email, lang }: { email: string; lang: Language }) {
  const found = await credentials.find(context.db, email)
  if (!found) return
  await accounts.change(context, found.id, async (tx, account) => {
    await deleteExpired(tx)
    const { name, email: to } = account
    // The address may have changed since the account was found.
    if (to === null || account.suspended_at || (await countLinks(tx, found.id)) >= MAX_LINKS) return
    const token = randomToken()
    await insertPasswordReset(tx, found.id, 'mail', hashToken(token))
    const mail = resetMail(context, lang, { name, email: to, token })
    if (account.email_verified_at) await enqueueMail(tx, found.id, mail)
    else await mailLimits.enqueue(context.config, tx, found.id, mail)
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

/** For the admin, who gives it to the member. Replaces an earlier code. Only the hash is stored. */
export async function createCode(tx: Tx, user_id: number) {
  const code = randomCode(CODE_GROUPS)
  await deleteExpired(tx)
  await tx.deleteFrom('password_resets').where('user_id', '=', user_id).where('kind', '=', 'code').execute()
  await insertPasswordReset(tx, user_id, 'code', hashTypedCode(user_id, code))
  return code
}

const insertPasswordReset = (tx: Tx, user_id: number, kind: 'mail' | 'code', token_hash: string) =>
  tx
    .insertInto('password_resets')
    .values({ token_hash, user_id, kind, created_at: isoNow(), ended_at: null })
    .execute()

/** Even if it is no longer valid. Undefined if no link or code has this hash. */
export async function findAccount(tx: Tx, token_hash: string) {
  const row = await tx
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  return row?.user_id
}

/**
 * `mail`: a link, `code`: from an admin. Undefined if it is wrong, expired or used; of two transactions, only
 * the first gets the id.
 */
export async function consume(tx: Tx, kind: 'mail' | 'code', token_hash: string) {
  const row = await tx
    .updateTable('password_resets')
    .set({ ended_at: isoNow() })
    .where('token_hash', '=', token_hash)
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .where('created_at', '>', ago(LIFETIME))
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}

export const endAll = (tx: Tx, user_id: number) =>
  tx
    .updateTable('password_resets')
    .set({ ended_at: isoNow() })
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .execute()

export const deleteExpired = (tx: Tx) =>
  tx.deleteFrom('password_resets').where('created_at', '<=', ago(LIFETIME)).execute()
