import type { Lang, Localized } from '#core/contract.ts'

/** What a handler answers when it will not do a thing; becomes `{ message }`, and `{ errors }` where it names fields. */
export class HttpError extends Error {
  readonly status: number
  readonly words: Localized
  readonly fields: Readonly<Record<string, readonly Localized[]>> | undefined
  constructor(status: number, words: Localized, fields?: Record<string, readonly Localized[]>) {
    super(words.en)
    this.status = status
    this.words = words
    this.fields = fields
  }
}

/** A field is wrong: 422, with the sentence for it. */
export const fieldError = (field: string, words: Localized) => new HttpError(422, words, { [field]: [words] })

const same = (sentence: string): Localized => ({ en: sentence, ja: sentence })

/** The answers whose words clients know by heart. */
export const errors = {
  unauthenticated: () => new HttpError(401, same('Unauthenticated.')),
  mismatch: () => new HttpError(419, same('CSRF token mismatch.')),
  adminsOnly: () =>
    new HttpError(403, { en: 'Only admins may do this.', ja: 'この操作ができるのは、管理者だけです。' }),
  notFound: () => new HttpError(404, { en: 'There is nothing here.', ja: '見つかりませんでした。' }),
  closing: () =>
    new HttpError(503, {
      en: 'The server is restarting. Try again in a moment.',
      ja: 'サーバーを再起動しています。しばらくしてからもう一度お試しください。',
    }),
  away: () =>
    new HttpError(503, {
      en: 'The server cannot reach what it keeps just now. Please try again in a moment.',
      ja: '一時的にデータにアクセスできません。しばらくしてからもう一度お試しください。',
    }),
  notStored: () =>
    new HttpError(503, {
      en: 'Pictures cannot be stored just now. Try again in a moment.',
      ja: '今は画像を保存できません。しばらくしてからもう一度お試しください。',
    }),
  notShown: () =>
    new HttpError(503, {
      en: 'This picture cannot be shown just now. Try again in a moment.',
      ja: '今はこの画像を表示できません。しばらくしてからもう一度お試しください。',
    }),
  diskFull: () =>
    new HttpError(507, {
      en: 'The disk is full, so nothing was saved.',
      ja: 'ディスクの空きがないため、保存できませんでした。',
    }),
}

const sentences: Record<string, (field: string, bound: string) => Localized> = {
  required: (field) => ({ en: `The ${field} field is required.`, ja: '入力してください。' }),
  string: (field) => ({ en: `The ${field} field must be text.`, ja: '文字で入力してください。' }),
  characters: (field) => ({
    en: `The ${field} field holds a character that cannot be stored.`,
    ja: '保存できない文字が含まれています。',
  }),
  most: (field, bound) => ({
    en: `The ${field} field must not be longer than ${bound} characters.`,
    ja: `${bound}文字以内で入力してください。`,
  }),
  least: (field, bound) => ({
    en: `The ${field} field must be at least ${bound} characters.`,
    ja: `${bound}文字以上で入力してください。`,
  }),
  email: (field) => ({
    en: `The ${field} field must be a valid email address.`,
    ja: '正しいメールアドレスを入力してください。',
  }),
  confirmed: (field) => ({
    en: `The ${field} field confirmation does not match.`,
    ja: '確認用の入力と一致しません。',
  }),
  integer: (field) => ({
    en: `The ${field} field must be a positive whole number.`,
    ja: '1以上の整数を入力してください。',
  }),
  invalid: (field) => ({ en: `The ${field} field is not valid.`, ja: '正しい形式で入力してください。' }),
}

/** `least:8` for `password` → "The password field must be at least 8 characters." */
export function validationMessage(code: string, field: string): Localized {
  const [name, bound] = code.split(':') as [string, string | undefined]
  return (sentences[name] ?? sentences.invalid!)(field.replaceAll('_', ' '), bound ?? '')
}

/** For text inside HTML and its attributes. */
export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** The language to answer in: the reader's choice, else the browser's first that we speak (RFC 9110, 12.5.4), else English. */
export function negotiateLanguage(chosen: string | undefined, acceptLanguage: string | undefined): Lang {
  if (chosen === 'en' || chosen === 'ja') return chosen
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag, quality] = part.trim().split(/;\s*q=/) as [string, string | undefined]
      return {
        lang: tag.slice(0, 2).toLowerCase(),
        quality: quality === undefined ? 1 : Number(quality) || 0,
      }
    })
    .filter(({ lang, quality }) => (lang === 'en' || lang === 'ja') && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return (wanted[0]?.lang as Lang | undefined) ?? 'en'
}
