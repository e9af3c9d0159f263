import { foldCaseAndWidth } from '#core/unicode.ts'
import { MAX_HANDLE_LENGTH } from './text-parts-contract.ts'

const BASE_LENGTH = 24
/** In UTF-16 units: folding makes one letter of up to three, each of up to two units. */
const MAX_WRITTEN_LENGTH = 6 * (MAX_HANDLE_LENGTH + 1)

const handlePattern = new RegExp(`^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_]{0,${MAX_HANDLE_LENGTH - 1}}$`, 'u')

/**
 * Returns a handle as it is stored: folded, without the leading `@`. Returns null if it contains other
 * characters than letters, digits and underscores, or is too long.
 */
export function parseHandle(given: string) {
  if (given.length > MAX_WRITTEN_LENGTH) return null
  const handle = foldCaseAndWidth(given).replace(/^@/, '')
  return handlePattern.test(handle) ? handle : null
}

/**
 * Suggests a handle for a name: `ayasato` for `Aya Sato`. Keeps letters of all scripts. Does not check
 * whether the handle is free.
 */
export function suggestHandleFromName(name: string) {
  const letters = foldCaseAndWidth(name)
    .replace(/[^\p{L}\p{M}\p{N}_]/gu, '')
    .replace(/^\p{M}+/u, '')
  return [...letters].slice(0, BASE_LENGTH).join('') || 'member'
}

/** Returns fifty handles to try for a base such as `aya`, in this order: `aya`, `aya2`, `aya3` … */
export const listNumberedHandleCandidates = (base: string) =>
  Array.from({ length: 50 }, (_, index) => (index ? `${base}${index + 1}` : base))

/**
 * A map from characters to the characters that they look like. Name skeletons contain the second character of
 * each pair in place of the first. See Unicode UTS #39, confusables.
 */
const confusables = new Map(
  [
    // Pairs of a Cyrillic, Greek or phonetic letter and the Latin letter that it looks like.
    'аa еe оo рp сc уy хx ѕs іi јj һh ԁd ԛq ԝw кk мm тt вb нh ɡg αa βb εe ιi κk νv οo ρp τt υu χx ɩi ʟi',
    // Pairs of a character such as a digit or the vertical bar and the letter that it looks like.
    '0o 1i li |i ıi',
    // Pairs of a Chinese character or a hiragana and the katakana that it looks like.
    '一ー 二ニ 力カ 口ロ 工エ 夕タ 卜ト 八ハ へヘ べベ ぺペ りリ 才オ 千チ',
  ]
    .flatMap((row) => row.split(' '))
    .filter((pair) => [...pair].length === 2)
    .map((pair) => [...pair] as [string, string]),
)

/** Converts a name to its visual skeleton. Two names with the same skeleton look alike. */
export const toLookalikeNameSkeleton = (name: string) =>
  [...foldCaseAndWidth(name).replace(/[\s\p{P}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')]
    .map((letter) => confusables.get(letter) ?? letter)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
