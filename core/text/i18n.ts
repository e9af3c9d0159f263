import type { Language, Sentence } from '#core/contract.ts'

const sentences: Record<string, (field: string, bound: string) => Sentence> = {
  required: (field) => ({ en: `The ${field} field is required.`, ja: '入力してください。' }),
  string: (field) => ({
    en: `The ${field} field must be text.`,
    ja: '入力した内容を、もう一度確認してください。',
  }),
  characters: (field) => ({
    en: `The ${field} field holds a character that cannot be stored.`,
    ja: '保存できない文字が含まれています。',
  }),
  max: (field, bound) => ({
    en: `The ${field} field must not be longer than ${bound} characters.`,
    ja: `${bound}文字以内で入力してください。`,
  }),
  min: (field, bound) => ({
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
  name: (field) => ({
    en: `The ${field} field must contain a letter, a digit or an emoji.`,
    ja: '文字・数字・絵文字のどれかを入れてください。',
  }),
  reading: (field) => ({
    en: `The ${field} field takes hiragana, katakana or Latin letters.`,
    ja: 'ふりがなは、ひらがな、カタカナ、ローマ字のどれかで入力してください。',
  }),
  invalid: (field) => ({
    en: `The ${field} field is not valid.`,
    ja: '入力した内容を、もう一度確認してください。',
  }),
}

/**
 * Returns the sentence for an error code: `min:8` for `password` gives "The password field must be at least 8
 * characters."
 */
export function validationMessage(code: string, field: string): Sentence {
  const [name, bound] = code.split(':') as [string, string | undefined]
  return (sentences[name] ?? sentences.invalid!)(field.replaceAll('_', ' '), bound ?? '')
}

/** Escapes a text, so that it can be inserted into HTML, or into an attribute in double quotes. */
export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

/**
 * Returns the language of a response: the one that the reader has chosen (`preferred`); otherwise English or
 * Japanese, as the browser's Accept-Language header prefers (RFC 9110, 12.5.4); otherwise English.
 */
export function chooseLanguage(preferred: string | undefined, acceptLanguage: string | undefined): Language {
  if (preferred === 'en' || preferred === 'ja') return preferred
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
  return (wanted[0]?.lang as Language | undefined) ?? 'en'
}
