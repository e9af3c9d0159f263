import { createHash, createHmac } from 'node:crypto'
import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { areSecretsEqual } from '#core/crypto.ts'
import { HttpError } from '#core/http/errors.ts'
import type { MailMessage } from '#core/mail/mail.ts'
import { renderMailMessage } from '#core/mail/template.ts'

const DAY = 24 * 3600

const hashEmail = (email: string) => createHash('sha1').update(email).digest('hex')
const signLink = (secret: Buffer, id: number | string, hash: string, expires: string) =>
  createHmac('sha256', secret).update(`verify ${id} ${hash} ${expires}`).digest('hex')

/**
 * Returns the link `…/email/verify/{id}/{sha1 of the address}?expires={unix s}&signature={HMAC-SHA256}`,
 * which is valid for 24 hours.
 */
export function createSignedEmailVerificationLink(
  { publicSite, config }: Pick<AppContext, 'publicSite' | 'config'>,
  id: number,
  email: string,
) {
  const hash = hashEmail(email)
  const expires = String(Math.floor(Date.now() / 1000) + DAY)
  return `${publicSite.origin}/email/verify/${id}/${hash}?expires=${expires}&signature=${signLink(config.SECRET, id, hash, expires)}`
}

interface LinkParams {
  id: string
  hash: string
  expires: string
  signature: string
}
/**
 * Throws 403 unless this server signed the e-mail verification link and the link has not expired. The error
 * does not reveal whether the account exists.
 */
export function requireSignedUnexpiredEmailVerificationLink(
  { config }: AppContext,
  { id, hash, expires, signature }: LinkParams,
) {
  if (!areSecretsEqual(signature, signLink(config.SECRET, id, hash, expires))) throw createBadLinkError()
  if (Number(expires) < Date.now() / 1000)
    throw new HttpError(403, {
      en: 'This link has expired. Log in to request a new one.',
      ja: 'リンクの有効期限が切れています。ログインして、確認メールを再送してください。',
    })
}

/** Throws 403 if the account has another e-mail address than that of the verification link, or none. */
export function requireMatchingEmailHash(email: string | null, hash: string) {
  if (email === null || hashEmail(email) !== hash) throw createBadLinkError()
}

const createBadLinkError = () =>
  new HttpError(403, { en: 'This link is not valid.', ja: 'このリンクは無効です。' })

const mailTexts = {
  en: {
    subject: (app: string) => `Verify your email address for ${app}`,
    ask: (app: string) => `Please confirm that this is your email address for ${app}.`,
    button: 'Verify email address',
    life: 'The link is valid for 24 hours and works on any device.',
    mistake:
      'If you did not sign up, you can ignore this mail: somebody has probably mistyped their address.',
  },
  ja: {
    subject: (app: string) => `【${app}】メールアドレスの確認`,
    ask: (app: string) =>
      `${app}にご登録いただきありがとうございます。下のリンクから、このメールアドレスがご本人のものであることを確認してください。`,
    button: 'メールアドレスを確認する',
    life: 'リンクは24時間有効で、どの端末からでも開けます。',
    mistake: 'お心当たりがない場合は、このメールを破棄してください。',
  },
} satisfies Record<Language, object>

/** Creates the mail that asks a member to verify the e-mail address of the account. */
export function createEmailVerificationMail(
  context: Pick<AppContext, 'publicSite' | 'config'>,
  lang: Language,
  { id, name, email }: { id: number; name: string; email: string },
): MailMessage {
  const app = context.publicSite.name
  const texts = mailTexts[lang]
  const link = createSignedEmailVerificationLink(context, id, email)
  const mail = renderMailMessage({
    lang,
    site: context.publicSite,
    to: email,
    name,
    subject: texts.subject(app),
    paragraphs: [texts.ask(app)],
    button: { label: texts.button, link },
    closing: [texts.life, texts.mistake],
  })
  // Returns the link in addition to the mail. Without SMTP_URL, the server writes the link to the log, so
  // that the first people can start without a mail server.
  return { ...mail, link }
}
