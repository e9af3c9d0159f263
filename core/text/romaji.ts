import { foldNameForSearch } from './fold-names.ts'

// Hepburn romanization as in passports, but with n before b, m and p: さとう is sato, しんぺい shinpei.

const rows: readonly [consonant: string, kana: string][] = [
  ['', 'あいうえお'],
  ['k', 'かきくけこ'],
  ['g', 'がぎぐげご'],
  ['s', 'さしすせそ'],
  ['z', 'ざじずぜぞ'],
  ['t', 'たちつてと'],
  ['d', 'だぢづでど'],
  ['n', 'なにぬねの'],
  ['h', 'はひふへほ'],
  ['b', 'ばびぶべぼ'],
  ['p', 'ぱぴぷぺぽ'],
  ['m', 'まみむめも'],
  ['r', 'らりるれろ'],
]
const others =
  'し shi ち chi つ tsu ふ fu じ ji ぢ ji づ zu や ya ゆ yu よ yo わ wa ゐ i ゑ e を o ん n ゔ vu ぁ a ぃ i ぅ u ぇ e ぉ o ゃ ya ゅ yu ょ yo ゎ wa ゕ ka ゖ ke'
const syllables = new Map([
  ...rows.flatMap(([consonant, kana]) =>
    [...kana].map((one, index) => [one, consonant + 'aiueo'[index]!] as const),
  ),
  ...[...others.matchAll(/(\S) (\S+)/g)].map(([, kana, latin]) => [kana!, latin!] as const),
])

/** し and ゃ are sha, り and ょ ryo, ふ and ぁ fa; ー, and っ at the end, are nothing. */
function romanizeKana(kana: string) {
  let latin = ''
  for (const one of kana) {
    const next = syllables.get(one) ?? ''
    if ('ゃゅょ'.includes(one) && /[^aeou]i$/.test(latin))
      latin = latin.slice(0, -1) + (/(sh|ch|j)i$/.test(latin) ? next.slice(1) : next)
    else if ('ぁぃぅぇぉ'.includes(one) && /[^aeio]u$|[td][eo]$|(sh|ch|j)i$/.test(latin))
      latin = latin.slice(0, -1) + next
    else latin += one === 'っ' ? 'っ' : next
  }
  return latin
    .replace(/っ(?=(ch)?)/g, (_, ch) => (ch ? 't' : 'っ'))
    .replace(/っ+([bcdfghjkmnprstvwyz]?)/g, '$1$1')
}

/** A long vowel is one letter, but not where two words meet: いのうえ is inoue, まつうら matsuura. */
const shortenVowels = (latin: string) => latin.replace(/ou(?!e)|oo(?!$)|(?<!ts)uu/g, (long) => long[0]!)

/** Lower-case words of the letters a to z, without accents. Empty if there are none. */
export const romanize = (reading: string) =>
  foldNameForSearch(reading)
    .split(/[\s・]+/)
    .map((word) => {
      const latin = word.replace(/[ぁ-ゖー]+/g, romanizeKana)
      return (latin === word ? latin : shortenVowels(latin)).replace(/[^a-z]/g, '')
    })
    .filter((word) => word)
