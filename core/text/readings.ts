import { foldNameForSearch, toHiragana } from './fold-names.ts'
import { cleanName } from './names.ts'
import { shorten } from './shorten.ts'

// How a name is read (ふりがな), which Chinese characters do not say.

/** As it is stored: in NFKC, with hiragana for all kana. A dash behind kana is a long vowel. */
export const cleanReading = (given: string) =>
  toHiragana(cleanName(given.normalize('NFKC'))).replace(/(?<=[ぁ-ゖー])[-‐-―−]/g, 'ー')

const pattern = /^[\p{Script=Latin}ぁ-ゖ][\p{Script=Latin}\p{Script=Inherited}ぁ-ゖーゝゞ・ .'’-]*$/u

/** Of hiragana and Latin letters, with the signs that names have. */
export const isReading = (cleaned: string) => pattern.test(cleaned)

const SORTED_LENGTH = 100

const vowels = [
  'あかさたなはまやらわ',
  'いきしちにひみりゐ',
  'うくすつぬふむゆる',
  'えけせてねへめれゑ',
  'おこそとのほもよろを',
].flatMap((row) => [...row].map((kana) => [kana, row[0]!] as const))
const vowelOf = new Map(vowels)

const small = 'ぁぃぅぇぉっゃゅょゎゕゖ'
const large = 'あいうえおつやゆよわかけ'

/** Without voicing and small letters. ー becomes its vowel, and ゝ the letter before. */
function baseLetters(folded: string) {
  const letters: string[] = []
  for (const letter of folded.normalize('NFD').replace(/[\u3099\u309A・]/g, '')) {
    const last = letters.at(-1) ?? ''
    if (letter === 'ー') letters.push(vowelOf.get(last) ?? letter)
    else if (letter === 'ゝ') letters.push(last)
    else letters.push(large[small.indexOf(letter)] ?? letter)
  }
  return letters.join('')
}

/** Latin letters, then kana, then the others. */
function scriptOrder(letters: string) {
  if (/^[a-z]/.test(letters)) return '1'
  return /^[ぁ-ゖ]/.test(letters) ? '2' : '3'
}

/**
 * Texts in the order of these keys, by code points, are in the order of 五十音 (JIS X 4061: first the letters,
 * then their voicing). Short enough for an index.
 */
export function sortKey(text: string) {
  const folded = shorten(foldNameForSearch(text), SORTED_LENGTH, '')
  const letters = baseLetters(folded)
  return `${scriptOrder(letters)}${letters}\n${folded}`
}
