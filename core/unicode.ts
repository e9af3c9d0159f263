/**
 * Returns a text in a form for comparison, without differences of case and width: `Ｂen` and `BEN` become
 * `ben`.
 */
export const foldCaseAndWidth = (text: string) => text.normalize('NFKC').toLowerCase()

/**
 * Returns a password as RFC 8265 (OpaqueString) compares it: with U+0020 for every other space, in NFC. So it
 * is the same from each keyboard and each system.
 */
export const normalizePassword = (password: string) => password.replace(/\p{Zs}/gu, ' ').normalize('NFC')

/** The letters that `foldNameForSearch` replaces, because Unicode normalisation does not. */
const LETTER_REPLACEMENTS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ß: 'ss',
  þ: 'th',
  ς: 'σ',
}

/**
 * Returns a name in a form for search: without differences of case and width, as `foldCaseAndWidth` returns
 * it, and without the accents of Latin and Greek letters, which many keyboards lack. Keeps the marks of other
 * scripts, because there they make another letter (が is not か, й is not и).
 */
export const foldNameForSearch = (name: string) =>
  foldCaseAndWidth(name)
    .normalize('NFKD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}])\p{Mn}+/gu, '$1')
    .normalize('NFKC')
    .replace(/[æœøđðłħıßþς]/g, (letter) => LETTER_REPLACEMENTS[letter]!)

/** Returns the length of a text in Unicode code points. The server and the browser both count this way. */
export const countCodePoints = (text: string) => [...text].length

/** Whether the text is exactly one emoji, as people see it: 👍, 👍🏽, ❤️, 🇯🇵 or 👩‍🚀. */
export const isSingleEmoji = (text: string) => /^\p{RGI_Emoji}$/v.test(text)

/**
 * Adds the variation selector U+FE0F to a symbol that is an emoji only with it: the text symbol ❤ becomes
 * the emoji ❤️. Returns other texts unchanged.
 */
export const addEmojiVariationSelector = (text: string) =>
  !isSingleEmoji(text) && isSingleEmoji(`${text}\uFE0F`) ? `${text}\uFE0F` : text
