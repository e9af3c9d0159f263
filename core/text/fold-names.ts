import { foldCaseAndWidth } from './unicode.ts'

/** Returns the text with hiragana in place of full-width katakana. */
export const toHiragana = (text: string) =>
  text.replace(/[ァ-ヶヽヾ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))

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
 * it, with kana in hiragana, and without the accents of Latin and Greek letters, which many keyboards lack.
 * Keeps the marks of other scripts, because there they make another letter (が is not か, й is not и).
 */
export const foldNameForSearch = (name: string) =>
  toHiragana(
    foldCaseAndWidth(name)
      .normalize('NFKD')
      .replace(/([\p{Script=Latin}\p{Script=Greek}])\p{Mn}+/gu, '$1')
      .normalize('NFKC'),
  ).replace(/[æœøđðłħıßþς]/g, (letter) => LETTER_REPLACEMENTS[letter]!)

/**
 * Returns how a name is read in a form for search: see `foldNameForSearch`. Spaces do not count, because not
 * all people type them.
 */
export const foldReading = (reading: string) => foldNameForSearch(reading).replace(/[\s・]/g, '')
