import { foldCase } from '#core/contract.ts'

/** Code points of a handle. */
export const HANDLE_LENGTH = 30
const BASE_LENGTH = 24

const handlePattern = new RegExp(`^[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_]{0,${HANDLE_LENGTH - 1}}$`, 'u')

/** A handle as it is stored: folded, without the `@` before it. Null where it has other characters, or too many. */
export function toHandle(given: string) {
  const handle = foldCase(given).replace(/^@/, '')
  return handlePattern.test(handle) ? handle : null
}

/** The handle that a name suggests: `Aya Sato` → `ayasato`. Letters of all scripts stay. */
export function handleBase(name: string) {
  const letters = foldCase(name)
    .replace(/[^\p{L}\p{M}\p{N}_]/gu, '')
    .replace(/^\p{M}+/u, '')
  return [...letters].slice(0, BASE_LENGTH).join('') || 'member'
}

/** `aya`, `aya2`, `aya3` …: in the order in which they are tried. */
export const handleCandidates = (base: string) =>
  Array.from({ length: 50 }, (_, index) => (index ? `${base}${index + 1}` : base))

/**
 * Characters that look like another one: the second of each pair stands for both. Compare Unicode's UTS #39,
 * confusables.
 */
const lookAlikes = new Map(
  [
    // Cyrillic and Greek letters that look Latin.
    'аa еe оo рp сc уy хx ѕs іi јj һh ԁd ԛq ԝw кk мm тt вb нh ɡg αa βb εe ιi κk νv οo ρp τt υu χx ɩi ʟi',
    // Digits and letters that differ by a stroke.
    '0o 1i li |i ıi',
    // Katakana that look like Chinese characters or hiragana.
    '一ー 二ニ 力カ 口ロ 工エ 夕タ 卜ト 八ハ へヘ べベ ぺペ りリ 才オ 千チ',
  ]
    .flatMap((row) => row.split(' '))
    .filter((pair) => [...pair].length === 2)
    .map((pair) => [...pair] as [string, string]),
)

/** Folds a name to its visual skeleton: two names with the same skeleton look alike at a glance. */
export const nameSkeleton = (name: string) =>
  [...foldCase(name).replace(/[\s\p{P}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')]
    .map((letter) => lookAlikes.get(letter) ?? letter)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
