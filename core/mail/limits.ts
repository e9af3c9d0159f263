import { createHmac } from 'node:crypto'
import type { Config } from '#core/config.ts'
import type { Sentence } from '#core/contract.ts'
import { isoNow, type Migrations, type Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { enqueueMail, type MailMessage } from '#core/mail/mail.ts'
import { foldCaseAndWidth } from '#core/text/unicode.ts'

// This file limits the mails to addresses that nobody has verified yet. Anybody can write the address of a
// stranger into a form, so without a limit many accounts together could flood the stranger's mailbox.

/**
 * The length in ms of the period in which the mails to one address, or for one account, are counted. The
 * period begins with the first of these mails.
 */
const PERIOD = 24 * 3600_000
/** How many mails go to one unverified address in a period, whoever causes them. */
const MAX_MAILS_TO_ADDRESS = 10
/** How many mails to unverified addresses one account may ask for in a period. */
const MAX_MAILS_OF_ACCOUNT = 30
const HOUR = 3600_000
/** How many test mails an admin may send in an hour of the clock. */
const MAX_TEST_MAILS = 10

export interface Tables {
  /**
   * The table with the number of mails that were counted for each subject: an address, an account, or the
   * test mails of an admin in one hour. A row that is a day old is deleted when the next mail is counted.
   */
  mail_counts: {
    /**
     * An HMAC of the address, or of the account's id (with the hour, for test mails), so that the table
     * names nobody.
     */
    subject: string
    count: number
    /** The time at which the first of the counted mails was counted. */
    began_at: string
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends Tables {}
}
declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /**
     * A job that does nothing. It is added instead of a mail beyond the limit of an address, so that the
     * sender cannot notice the limit.
     */
    withheld_mail: Record<never, never>
  }
}

export const migrations: Migrations = {
  'mail limits 1': () => [
    'create table mail_counts (subject text primary key, count integer not null, began_at text not null)',
    'create index mail_counts_began on mail_counts (began_at)',
  ],
}

/**
 * Counts a mail for a subject, which `text` names. Returns the number of mails of this subject in the
 * period. Also deletes old counts.
 */
async function countMail({ SECRET }: Config, tx: Tx, text: string) {
  await tx
    .deleteFrom('mail_counts')
    .where('began_at', '<=', new Date(Date.now() - PERIOD).toISOString())
    .execute()
  const subject = createHmac('sha256', SECRET).update(`mail limit ${text}`).digest('base64url')
  const { count } = await tx
    .insertInto('mail_counts')
    .values({ subject, count: 1, began_at: isoNow() })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet((row) => ({ count: row('mail_counts.count', '+', 1) })),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Counts a mail to an unverified address for the account whose member asks for it. Throws 429 if the account
 * has asked for too many in a day.
 */
export async function countAddressMail(config: Config, tx: Tx, user_id: number) {
  if ((await countMail(config, tx, `of account ${user_id}`)) > MAX_MAILS_OF_ACCOUNT)
    throw createTooManyMailsError(PERIOD, {
      en: 'You have asked for too many mails today. Please try again tomorrow.',
      ja: '本日のメール送信の回数が上限に達しました。明日もう一度お試しください。',
    })
}

/**
 * Counts a test mail for the admin who asks for it. `unverified` is the address if nobody has verified it; it
 * may be a stranger's. Throws 429 if the admin has sent too many test mails in this hour or too many mails to
 * unverified addresses in a day, or if too many mails went to this unverified address in a day.
 */
export async function countTestMail(config: Config, tx: Tx, user_id: number, unverified: string | null) {
  if (unverified !== null) await countAddressMail(config, tx, user_id)
  const hour = Math.floor(Date.now() / HOUR)
  const isTooManyTests =
    (await countMail(config, tx, `test of account ${user_id} in hour ${hour}`)) > MAX_TEST_MAILS
  const isTooManyMails = unverified !== null && !(await countMailToAddress(config, tx, unverified))
  if (isTooManyTests || isTooManyMails)
    throw createTooManyMailsError(HOUR, {
      en: 'You have sent too many test mails. Please try again in an hour.',
      ja: 'テストメールの回数が上限に達しました。1時間後にもう一度お試しください。',
    })
}

/** Counts a mail to an unverified address. Returns whether it is within the limit. */
const countMailToAddress = async (config: Config, tx: Tx, to: string) =>
  (await countMail(config, tx, `to address ${foldCaseAndWidth(to)}`)) <= MAX_MAILS_TO_ADDRESS

/** Creates the error 429 with `message`. Its Retry-After header is `period`, which is in ms. */
const createTooManyMailsError = (period: number, message: Sentence) =>
  new HttpError(429, message, undefined, { 'retry-after': String(period / 1000) })

/**
 * Sends a mail to an address that nobody has verified, after the commit of `tx`, as `enqueueMail`
 * does. Sends nothing if too many such mails went to the address in a day. In both cases the function
 * returns nothing and inserts one job, so that neither the result nor the time tells the caller that
 * other accounts have asked for mails to this address.
 */
export async function enqueue(config: Config, tx: Tx, user_id: number | null, mail: MailMessage) {
  if (await countMailToAddress(config, tx, mail.to)) await enqueueMail(tx, user_id, mail)
  else await enqueueJob(tx, 'withheld_mail', {})
}
