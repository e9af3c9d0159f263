import { createHash, createHmac } from 'node:crypto'
import type { AppContext } from '#core/context.ts'
import { countCodePoints, type Language } from '#core/contract.ts'
import { areSecretsEqual } from '#core/crypto.ts'
import { HttpError } from '#core/http/errors.ts'
import { escapeHtml } from '#core/i18n.ts'
import type { MailMessage } from '#core/mail/mail.ts'

const DAY = 24 * 3600

const hashEmail = (email: string) => createHash('sha1').update(email).digest('hex')
const signLink = (secret: Buffer, id: number | string, hash: string, expires: string) =>
  createHmac('sha256', secret).update(`verify ${id} ${hash} ${expires}`).digest('hex')

/**
 * Builds the link `…/email/verify/{id}/{sha1 of the address}?expires={unix s}&signature={HMAC-SHA256}`, valid
 * for 24 hours.
 */
export function createVerificationLink({ publicSite, config }: AppContext, id: number, email: string) {
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
 * Throws 403 unless this server signed the link and it has not expired. Does not reveal whether the account
 * exists.
 */
export function verifyLinkSignature({ config }: AppContext, { id, hash, expires, signature }: LinkParams) {
  if (!areSecretsEqual(signature, signLink(config.SECRET, id, hash, expires))) throw badLinkError()
  if (Number(expires) < Date.now() / 1000)
    throw new HttpError(403, {
      en: 'This link has expired. Log in to request a new one.',
      ja: 'リンクの有効期限が切れています。ログインして、確認メールを再送してください。',
    })
}

/** Throws 403 if the address of the account has changed since the link was made. */
export function checkEmailHash(email: string, hash: string) {
  if (hashEmail(email) !== hash) throw badLinkError()
}

const badLinkError = () => new HttpError(403, { en: 'This link is not valid.', ja: 'このリンクは無効です。' })

const mailTexts = {
  en: {
    subject: (app: string) => `Verify your email address for ${app}`,
    hello: (name: string | null) => (name === null ? 'Hello,' : `Hello ${name},`),
    ask: (app: string) => `Please confirm that this is your email address for ${app}.`,
    button: 'Verify email address',
    life: 'The link is valid for 24 hours and works on any device.',
    mistake:
      'If you did not sign up, you can ignore this mail: somebody has probably mistyped their address.',
  },
  ja: {
    subject: (app: string) => `【${app}】メールアドレスの確認`,
    hello: (name: string | null) => (name === null ? 'こんにちは' : `${name}さん`),
    ask: (app: string) =>
      `${app}にご登録いただきありがとうございます。下のリンクから、このメールアドレスがご本人のものであることを確認してください。`,
    button: 'メールアドレスを確認する',
    life: 'リンクは24時間有効で、どの端末からでも開けます。',
    mistake: 'お心当たりがない場合は、このメールを破棄してください。',
  },
} satisfies Record<Language, object>

/**
 * Matches a web or e-mail address. The greeting must not contain one: otherwise somebody could send a link to
 * a stranger by putting it into the name of an account.
 */
const ADDRESS_PATTERN = /:\/\/|@|\bwww\.|[\p{L}\p{N}-]\.\p{L}{2,}/iu

/**
 * Returns the name for the greeting. Returns null if it contains an address or is longer than 60 characters.
 */
const nameForGreeting = (name: string) =>
  ADDRESS_PATTERN.test(name.normalize('NFKC')) || countCodePoints(name) > 60 ? null : name

/** The mail that asks a new member to verify the address. */
export function createVerificationMail(
  context: AppContext,
  lang: Language,
  { id, name, email }: { id: number; name: string; email: string },
): MailMessage {
  const app = context.config.APP_NAME
  const link = createVerificationLink(context, id, email)
  const texts = mailTexts[lang]
  const lines = [texts.hello(nameForGreeting(name)), texts.ask(app)]
  const after = [texts.life, texts.mistake]
  const paragraph = (line: string) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>`
  return {
    to: email,
    subject: texts.subject(app),
    link,
    text: [...lines, link, ...after, app].join('\n\n'),
    html: `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(texts.subject(app))}</title></head>
<body style="margin:0;padding:24px;background:#e7ebe3;color:#1c2420;font:16px/1.6 sans-serif"><div style="max-width:480px;margin:0 auto;padding:24px;background:#fcfdfa;border-radius:16px">
${lines.map(paragraph).join('\n')}
<p style="margin:0 0 16px"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:#28634f;color:#ffffff;font-weight:600;text-decoration:none">${texts.button}</a></p>
${after.map(paragraph).join('\n')}
<p style="margin:0;font-size:14px;color:#5b665e;overflow-wrap:anywhere">${escapeHtml(link)}</p>
</div></body></html>`,
  }
}
