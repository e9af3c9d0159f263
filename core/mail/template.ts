import type { Language } from '#core/contract.ts'
import { escapeHtml } from '#core/i18n.ts'
import { countCodePoints } from '#core/unicode.ts'
import type { MailMessage } from './mail.ts'

export interface MailContent {
  lang: Language
  /** The name of the community, for the last line. */
  app: string
  to: string
  /** The name of the receiver, for the greeting. */
  name: string
  subject: string
  /** The sentences before the button. */
  paragraphs: readonly string[]
  button?: { label: string; link: string }
  /** The sentences after the button. */
  closing?: readonly string[]
}

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

const greetings: Record<Language, (name: string | null) => string> = {
  en: (name) => (name === null ? 'Hello,' : `Hello ${name},`),
  ja: (name) => (name === null ? 'こんにちは' : `${name}さん`),
}

const paragraphHtml = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
const buttonHtml = ({ label, link }: { label: string; link: string }) =>
  `<p style="margin:0 0 16px"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:#28634f;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`
const linkHtml = (link: string) =>
  `<p style="margin:0;font-size:14px;color:#5b665e;overflow-wrap:anywhere">${escapeHtml(link)}</p>`

/** Creates a mail as text and as HTML, with a greeting, the paragraphs, and the button with its link. */
export function createMail(content: MailContent): MailMessage {
  const { lang, app, to, name, subject, paragraphs, button, closing = [] } = content
  const before = [greetings[lang](nameForGreeting(name)), ...paragraphs]
  return {
    to,
    subject,
    text: [...before, ...(button ? [button.link] : []), ...closing, app].join('\n\n'),
    html: `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#e7ebe3;color:#1c2420;font:16px/1.6 sans-serif"><div style="max-width:480px;margin:0 auto;padding:24px;background:#fcfdfa;border-radius:16px">
${before.map(paragraphHtml).join('\n')}
${button ? `${buttonHtml(button)}\n` : ''}${closing.map(paragraphHtml).join('\n')}
${button ? `${linkHtml(button.link)}\n` : ''}</div></body></html>`,
  }
}
