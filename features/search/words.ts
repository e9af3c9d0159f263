import { foldNameForSearch } from '#core/text/fold-names.ts'
import { limitMarks } from '#core/text/marks.ts'

// How texts become words of the index. Scripts that are written without spaces give a word for each character,
// with the next one (学校で: 学校, 校で, で_), so that a part of any length is found.

const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}`
const unspaced = String.raw`[[${UNSPACED}ー々〆〇]&&[\p{L}\p{N}\p{M}]]`
/** For regular expressions with the flag `v`: a letter, digit or mark of a script that has spaces. */
export const LETTER = String.raw`[[\p{L}\p{N}\p{M}]--${unspaced}]`
const run = new RegExp(
  String.raw`(?<unspaced>${unspaced}+)|(?<spaced>${LETTER}+)|[\p{Extended_Pictographic}\p{Regional_Indicator}]`,
  'gv',
)

/** Stands where no phrase may go on. */
export const PAUSE = '_'
/** In UTF-16 units: of a longer word only the beginning counts. */
export const MAX_WORD = 64

/** In UTF-16 units. One character may become eighteen (U+FDFA), so an attacker's text could take long. */
const MAX_FOLDED = 30_000

/** The form in which texts are compared: without differences of case, width, accents and kana. */
export const fold = (text: string) =>
  foldNameForSearch(
    limitMarks(text.replace(/[’‘ʼ]/gu, "'")).replace(/\p{Default_Ignorable_Code_Point}/gu, ''),
  ).replace(/\s+/g, ' ')

export interface Run {
  text: string
  isUnspaced: boolean
}

/** `text` is folded. */
export const runs = (text: string): Run[] =>
  Array.from(text.matchAll(run), ({ 0: whole, groups }) => ({
    text: whole,
    isUnspaced: groups!.unspaced !== undefined,
  }))

/** The words of a text, in its order; of one that grows very long when it is folded, those of its beginning. */
export const split = (text: string) => runs(fold(text).slice(0, MAX_FOLDED)).flatMap((one) => wordsOf(one))

/** `isOpen`: the text may go on after the run, so its last character says nothing of what follows. */
export function wordsOf({ text: run, isUnspaced }: Run, isOpen = false) {
  if (!isUnspaced) return [run.slice(0, MAX_WORD)]
  const characters = [...run]
  const pairs = characters.map((character, index) => character + (characters[index + 1] ?? '_'))
  return isOpen ? pairs.slice(0, -1) : pairs
}
