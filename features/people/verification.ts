import { createHash, createHmac } from 'node:crypto'
import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { HttpError } from '#core/http/errors.ts'
import type { MailMessage } from '#core/mail/mail.ts'
import { renderMail } from '#core/mail/template.ts'
import { areSecretsEqual } from '#core/secrets/crypto.ts'

const DAY = 24 * 3600

const hashEmail = (email: string) => createHash('sha1').update(email).digest('hex')
const signLink = (secret: Buffer, id: number | string, hash: string, expires: string) =>
  createHmac('sha256', secret).update(`verify ${id} ${hash} ${expires}`).digest('hex')

/** `…/email/verify/{id}/{sha1 of address}?expires={unix s}&signature={HMAC-SHA256}`, valid for 24 hours. */
export function verificationLink(
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
/** 403 unless this server signed it and it has not expired. Does not reveal whether the account exists. */
export function requireValidLink({ config }: AppContext, { id, hash, expires, signature }: LinkParams) {
  if (!areSecretsEqual(signature, signLink(config.SECRET, id, hash, expires))) throw createBadLinkError()
  if (Number(expires) < Date.now() / 1000)
    throw new HttpError(403, {
      en: 'This link has expired. Log in to request a new one.',
      ja: 'リンクの有効期限が切れています。ログインして、確認メールを再送してください。',
    })
}

/** 403 otherwise. */
export function requireEmailHash(email: string | null, hash: string) {
  if (email === null || hashEmail(email) !== hash) throw createBadLinkError()
}

const createBadLinkError = () =>
  new HttpError(403, { en: 'This link is not valid.', ja: 'このリンクは使えません。' })

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
      `${app}にご登録いただき、ありがとうございます。下のボタンを押して、メールアドレスの確認を完了してください。`,
    button: 'メールアドレスを確認する',
    life: 'リンクは24時間有効で、どの端末からでも開けます。',
    mistake: 'お心当たりがない場合は、このメールを破棄してください。',
  },
} satisfies Record<Language, object>

export function verificationMail(
  context: Pick<AppContext, 'publicSite' | 'config'>,
  lang: Language,
  { id, name, email }: { id: number; name: string; email: string },
): MailMessage {
  const app = context.publicSite.name
  const texts = mailTexts[lang]
  const link = verificationLink(context, id, email)
  const mail = renderMail({
    lang,
    site: context.publicSite,
    to: email,
    name,
    subject: texts.subject(app),
    paragraphs: [texts.ask(app)],
    button: { label: texts.button, link },
    closing: [texts.life, texts.mistake],
  })
  // Without SMTP_URL, the server writes the link to the log, so that the first people can start without mail.
  return { ...mail, link }
}
