import { foldAddress } from '#core/text/addresses.ts'
import { romanize } from '#core/text/romaji.ts'
import { shorten } from '#core/text/shorten.ts'
import { foldCaseAndWidth } from '#core/text/unicode.ts'
import { MAX_HANDLE_LENGTH } from './text-parts-contract.ts'

const BASE_LENGTH = 24
/** In UTF-16 units: folding makes one letter of up to three, each of up to two units. */
const MAX_WRITTEN_LENGTH = 6 * (MAX_HANDLE_LENGTH + 1)

const handlePattern = new RegExp(`^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_]{0,${MAX_HANDLE_LENGTH - 1}}$`, 'u')

/** Folded, without the `@`. Null if too long, or with other signs than letters, digits and underscores. */
export function parseHandle(given: string) {
  if (given.length > MAX_WRITTEN_LENGTH) return null
  const handle = foldAddress(given).replace(/^@/, '')
  return handlePattern.test(handle) ? handle : null
}

/** `ayasato` for `Aya Sato`, in any script. It may be taken. */
export function suggestHandle(name: string) {
  const letters = foldCaseAndWidth(name)
    .replace(/[^\p{L}\p{M}\p{N}_]/gu, '')
    .replace(/^\p{M}+/u, '')
  return shorten(letters, BASE_LENGTH, '') || 'member'
}

/** `tanaka_hanako` for `たなか はなこ`. It may be taken, or empty. */
export const handleOfReading = (reading: string) =>
  shorten(romanize(reading).join('_'), BASE_LENGTH, '').replace(/_$/, '')

/** Fifty, in this order: `aya`, `aya2`, `aya3` … */
export const numberedHandles = (base: string) =>
  Array.from({ length: 50 }, (_, index) => (index ? `${base}${index + 1}` : base))

/** From characters to those that they look like (Unicode UTS #39, confusables). */
const confusables = new Map(
  [
    // A Cyrillic, Greek or phonetic letter, and the Latin one.
    'аa еe оo рp сc уy хx ѕs іi јj һh ԁd ԛq ԝw кk мm тt вb нh ɡg αa βb εe ιi κk νv οo ρp τt υu χx ɩi ʟi',
    // A digit or sign, and the letter.
    '0o 1i li |i ıi',
    // A Chinese character or a hiragana, and the katakana.
    '一ー 二ニ 力カ 口ロ 工エ 夕タ 卜ト 八ハ へヘ べベ ぺペ りリ 才オ 千チ',
  ]
    .flatMap((row) => row.split(' '))
    .filter((pair) => [...pair].length === 2)
    .map((pair) => [...pair] as [string, string]),
)

/** Names with the same skeleton look alike. */
export const nameSkeleton = (name: string) =>
  [...foldCaseAndWidth(name).replace(/[\s\p{P}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')]
    .map((letter) => confusables.get(letter) ?? letter)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
