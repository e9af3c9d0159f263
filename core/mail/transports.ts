import { mkdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#core/config.ts'
import type { Db } from '#core/database/database.ts'
import { isLocalHostName } from '#core/http/hosts.ts'
import { isJobUnfinished } from '#core/jobs/jobs.ts'
import { type JobHandler, PermanentFailure, type RunningJob } from '#core/jobs/runner.ts'
import { mailFileName } from './files.ts'
import type { MailJobPayload, MailMessage } from './mail.ts'
import { parseSender } from './sender.ts'

/** Sends a mail, or writes it to a file. `isWanted` tells whether the job and the account still exist. */
type Transport = (mail: MailJobPayload, job: RunningJob, isWanted: () => Promise<boolean>) => Promise<void>

/**
 * Returns the job handler that sends mails by SMTP or, without SMTP_URL, writes them to .eml files in
 * DATA_DIR/mail. A mail whose job or account is deleted meanwhile is neither sent nor written.
 */
export function mailHandler(
  { config, db, log }: { config: Config; db: Db; log: FastifyBaseLogger },
  hasAccount: (id: number) => Promise<boolean>,
): JobHandler<'mail'> {
  const send = config.SMTP_URL
    ? smtpTransport(config.SMTP_URL, config)
    : fileTransport(join(config.DATA_DIR, 'mail'), config, log)
  return async (mail, job) => {
    const { user_id = null } = mail
    const isWanted = async () =>
      (await isJobUnfinished(db, job.id)) && (user_id === null || (await hasAccount(user_id)))
    if (await isWanted()) await send(mail, job, isWanted)
  }
}

/**
 * Returns nodemailer's options for a mail. All attempts share a Message-ID, so a mail that was sent twice is
 * shown once.
 */
const envelopeOf = (
  { to, subject, text, html, unsubscribe }: MailMessage,
  { id, createdAt }: RunningJob,
  { MAIL_FROM }: Config,
) => ({
  from: parseSender(MAIL_FROM)!,
  to,
  subject,
  text,
  html,
  headers: {
    // Asks for no automatic answers (RFC 3834, 5).
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribe && {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  },
  messageId: `<${id}.${Date.parse(createdAt)}@${parseSender(MAIL_FROM)!.address.split('@')[1]}>`,
})

interface SmtpTimeouts {
  connectionTimeout: number
  greetingTimeout: number
  socketTimeout: number
}

/**
 * Creates a transport of nodemailer to the mail server `url`. The time limits are in ms. nodemailer is loaded
 * only when the first mail is sent.
 */
export const createSmtp = async (url: string, timeouts: SmtpTimeouts) =>
  (await import('nodemailer')).createTransport({ url, ...timeouts, requireTLS: needsTls(url) })

function smtpTransport(url: string, config: Config): Transport {
  const timeouts = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 }
  return async (message, job) => {
    const transport = await createSmtp(url, timeouts)
    await transport
      .sendMail({ ...envelopeOf(message, job, config), signal: job.signal })
      .catch((error: SmtpError) => {
        const reason = withoutAddresses(error.response ?? error.message)
        throw isPermanent(error) ? new PermanentFailure(reason) : new Error(reason)
      })
  }
}

/**
 * Whether `smtp:` must switch to TLS (RFC 3207): always, except if the mail server is on this machine or
 * SMTP_URL has `?requireTLS=false`.
 */
function needsTls(url: string) {
  const { protocol, hostname, searchParams } = new URL(url)
  return protocol === 'smtp:' && !isLocalHostName(hostname) && searchParams.get('requireTLS') !== 'false'
}

/**
 * Removes mail addresses from a mail server's reply, because replies are logged, and the log contains no
 * addresses.
 */
const withoutAddresses = (text: string) =>
  text.replace(/(?<![^\s<>"'(),;:])[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '…')

export interface SmtpError extends Error {
  /** The code of nodemailer, such as `EAUTH`, or of the system. */
  code?: string
  command?: string
  responseCode?: number
  response?: string
}
/**
 * Whether the mail server refuses this recipient for ever (RFC 5321, 4.2.1). A refused log-in, sender, text or
 * policy (RFC 3463: X.7) does not count, because the operator may correct it.
 */
const isPermanent = ({ command, responseCode = 0, response = '' }: SmtpError) =>
  command === 'RCPT TO' && responseCode >= 500 && !/^5\d\d[ -]5\.7\./.test(response)

function fileTransport(path: string, config: Config, log: FastifyBaseLogger): Transport {
  mkdirSync(path, { recursive: true })
  return async (message, job, isWanted) => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
    const sent = await transport.sendMail(envelopeOf(message, job, config))
    const file = join(path, mailFileName(job.id, message.user_id ?? null))
    await writeFile(file, sent.message as Buffer)
    // Deletes the file if the mail was deleted after the first check, because the job that deletes files may
    // have run before this file was written.
    if (!(await isWanted())) return rm(file, { force: true })
    log.info({ file, link: message.link }, 'No SMTP_URL: the mail was written to a file')
  }
}
