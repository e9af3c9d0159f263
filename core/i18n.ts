import type { Lang, Localized } from '#core/contract.ts'

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
  items: (field, bound) => ({
    en: `The ${field} field must not have more than ${bound} items.`,
    ja: `${bound}個までです。`,
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

/**
 * The language of an answer: the choice of the reader, else the first known one of the browser (RFC 9110,
 * 12.5.4), else English.
 */
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
