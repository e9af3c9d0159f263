import type { Config } from '#core/config.ts'
import type { MailMessage } from './mail.ts'
import { parseSender } from './sender.ts'
import { createSmtp, type SmtpError } from './transports.ts'

/** How a mail server answered to a test mail. */
export interface TestMailResult {
  /** Whether the mail server accepted the mail. It may still be filtered on its way. */
  accepted: boolean
  /**
   * The last answer of the mail server, or the error of the connection; at most MAX_ANSWER
   * characters.
   */
  answer: string
  /**
   * The step at which the mail server could not be reached or refused the mail; null if it accepted the mail.
   */
  failed: SmtpStep | null
}

export type SmtpStep = 'connection' | 'tls' | 'log-in' | 'sender' | 'recipient' | 'content'

/** Returns the step of an error of nodemailer. */
function findFailedStep({ code, command }: SmtpError): SmtpStep {
  if (code === 'EAUTH' || code === 'ENOAUTH' || code === 'EOAUTH2') return 'log-in'
  if (code === 'ETLS') return 'tls'
  if (code === 'EENVELOPE') return command === 'MAIL FROM' ? 'sender' : 'recipient'
  return code === 'EMESSAGE' || command === 'DATA' ? 'content' : 'connection'
}

/** The time limits, in ms: for one step of the SMTP dialogue, and for all steps together. */
const STEP_TIMEOUT = 8000
const TOTAL_TIMEOUT = 20_000
export const MAX_ANSWER = 500

/**
 * Sends a mail at once to the mail server `url`, without a retry, and returns the server's answer. Returns
 * errors of the server too, instead of throwing them.
 */
export async function sendTestMail(
  url: string,
  { MAIL_FROM }: Pick<Config, 'MAIL_FROM'>,
  { to, subject, text, html }: MailMessage,
): Promise<TestMailResult> {
  const transport = await createSmtp(url, {
    connectionTimeout: STEP_TIMEOUT,
    greetingTimeout: STEP_TIMEOUT,
    socketTimeout: STEP_TIMEOUT,
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${TOTAL_TIMEOUT / 1000} s`)), TOTAL_TIMEOUT)
  })
  try {
    const sending = transport.sendMail({ from: parseSender(MAIL_FROM)!, to, subject, text, html })
    const { response } = await Promise.race([sending, late])
    return { accepted: true, answer: shorten(response, url), failed: null }
  } catch (error) {
    const { response, message } = error as SmtpError
    return {
      accepted: false,
      answer: shorten(response ?? message, url),
      failed: findFailedStep(error as SmtpError),
    }
  } finally {
    clearTimeout(timer)
    transport.close()
  }
}

/** Removes the password of SMTP_URL from an answer, in case a server repeats it, and shortens the answer. */
function shorten(answer: string, url: string) {
  const { username, password } = new URL(url)
  const [name, secret] = [username, password].map(decodeURIComponent)
  // The forms in which an answer may contain the password: as it is, and as AUTH LOGIN and AUTH PLAIN encode
  // it for SMTP, in base64 (RFC 4616).
  const forms = [password, secret!, toBase64(secret!), toBase64(`\0${name}\0${secret}`)]
  const withoutSecrets = forms
    .filter((form) => secret && form)
    .reduce((text, form) => text.replaceAll(form, '…'), answer)
  return withoutSecrets.slice(0, MAX_ANSWER)
}

const toBase64 = (text: string) => Buffer.from(text).toString('base64')
