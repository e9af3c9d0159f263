import { accentPalettes } from '#core/community/accent-colour.ts'
import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { san } from '#core/text/honorific.ts'
import { escapeHtml } from '#core/text/i18n.ts'
import { countCodePoints } from '#core/text/unicode.ts'
import type { MailMessage } from './mail.ts'

export interface TemplateInput {
  lang: Language
  /**
   * The site of the community. Its name is the last line of the plain text. Its accent colour, if it has one,
   * is the colour of the button and of the link in the HTML.
   */
  site: Pick<AppContext['publicSite'], 'name' | 'accent_colour'>
  to: string
  name: string
  subject: string
  paragraphs: readonly string[]
  button?: { label: string; link: string }
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
  ja: (name) => (name === null ? 'こんにちは' : san(name)),
}

const paragraphHtml = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
/** The colours of one theme of a mail. `standardColours` are those of web/ui/tokens.css. */
interface MailColours {
  background: string
  card: string
  text: string
  accent: string
  onAccent: string
}
const standardColours: Record<'light' | 'dark', MailColours> = {
  light: {
    background: '#e7ebe3',
    card: '#fcfdfa',
    text: '#1c2420',
    accent: '#28634f',
    onAccent: '#ffffff',
  },
  dark: { background: '#101512', card: '#1c221e', text: '#eeeadf', accent: '#a2cfaa', onAccent: '#12211a' },
}

/**
 * Returns the colours of a mail in both themes. For an accent colour of the community, the button and the
 * link have the variants of it from `accentPalettes`, which have enough contrast.
 */
function toMailColours(accent_colour: string | null) {
  if (accent_colour === null) return standardColours
  const palettes = accentPalettes(accent_colour)
  const inTheme = (theme: 'light' | 'dark'): MailColours => {
    const { accent, 'on-accent': onAccent } = palettes[theme]
    return { ...standardColours[theme], accent, onAccent }
  }
  return { light: inTheme('light'), dark: inTheme('dark') }
}

/**
 * Returns the style sheet of the dark theme. The light theme is in `style` attributes, because some programs
 * ignore style sheets; only `!important` overrides these attributes.
 */
const createDarkStyleSheet = ({ background, card, text, accent, onAccent }: MailColours) => {
  const rules = [
    `.page{background:${background}!important;color:${text}!important}`,
    `.card{background:${card}!important}`,
    `.button{background:${accent}!important;color:${onAccent}!important}`,
    `.link{color:${accent}!important}`,
  ]
  return `@media (prefers-color-scheme:dark){${rules.join('')}}`
}

const buttonHtml = ({ label, link }: { label: string; link: string }, { accent, onAccent }: MailColours) =>
  `<p style="margin:0 0 16px"><a class="button" href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:${accent};color:${onAccent};font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`
const linkHtml = (link: string, { accent }: MailColours) =>
  `<p style="margin:0;font-size:14px;overflow-wrap:anywhere"><a class="link" href="${escapeHtml(link)}" style="color:${accent}">${escapeHtml(link)}</a></p>`

/**
 * Creates a mail as text and as HTML: a greeting, the paragraphs, the button with its link, and the closing
 * sentences.
 */
export function renderMail(content: TemplateInput): MailMessage {
  const { lang, site, to, name, subject, paragraphs, button, closing = [] } = content
  const { light, dark } = toMailColours(site.accent_colour)
  const before = [greetings[lang](nameForGreeting(name)), ...paragraphs]
  return {
    to,
    subject,
    text: [...before, ...(button ? [button.link] : []), ...closing, site.name].join('\n\n'),
    html: `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${createDarkStyleSheet(dark)}</style></head>
<body class="page" style="margin:0;padding:24px;background:${light.background};color:${light.text};font:16px/1.6 sans-serif;word-break:auto-phrase;overflow-wrap:anywhere"><div class="card" style="max-width:480px;margin:0 auto;padding:24px;background:${light.card};border-radius:16px">
${before.map(paragraphHtml).join('\n')}
${button ? `${buttonHtml(button, light)}\n` : ''}${closing.map(paragraphHtml).join('\n')}
${button ? `${linkHtml(button.link, light)}\n` : ''}</div></body></html>`,
  }
}
