import { graphemeStart, shorten } from '#core/text/shorten.ts'
import { countCodePoints } from '#core/text/unicode.ts'
import type { Term } from './query.ts'
import { fold, LETTER, runs } from './words.ts'

// Where the words of a query stand in a text as somebody has written it.

/** In code points. */
const BEFORE = 20
const LENGTH = 120
/** Shown from its beginning. */
const SHORT = 70

const pattern = (text: string) => RegExp.escape(text).replaceAll('\\x20', '\\s+')

/** Finds a term in a folded text as the index does: words from their beginning, other scripts anywhere. */
export function finder({ text, isExact }: Pick<Term, 'text' | 'isExact'>) {
  const found = runs(text)
  const begins = !found[0]!.isUnspaced && text.startsWith(found[0]!.text)
  const last = found.at(-1)!
  const ends = isExact && !last.isUnspaced && text.endsWith(last.text)
  return new RegExp(`${begins ? `(?<!${LETTER})` : ''}${pattern(text)}${ends ? `(?!${LETTER})` : ''}`, 'gv')
}

/** The place up to `last` where no word of a script with spaces is cut. */
function wordStart(points: readonly string[], at: number, last: number) {
  const isInside = (index: number) =>
    spacedLetter.test(points[index - 1]!) && spacedLetter.test(points[index]!)
  let from = at
  while (from < last && (isInside(from) || points[from] === ' ')) from++
  return from
}
const spacedLetter = new RegExp(LETTER, 'v')

/** A character with its marks; half-width sound marks belong to their kana. */
const cluster = /[^\p{M}ﾞﾟ][\p{M}ﾞﾟ]*|[\p{M}ﾞﾟ]+/gu
const known = new Map<string, string>()
const MAX_KNOWN = 20_000

const MAX_KNOWN_LENGTH = 8

function foldCluster(text: string) {
  const found = known.get(text)
  if (found !== undefined) return found
  if (text.length > MAX_KNOWN_LENGTH) return fold(text)
  if (known.size >= MAX_KNOWN) known.clear()
  const folded = fold(text)
  known.set(text, folded)
  return folded
}

/** The place of the last of these rising numbers that is not above `most`. */
function lastUpTo(numbers: readonly number[], most: number) {
  let [low, high] = [0, numbers.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (numbers[middle]! <= most) low = middle
    else high = middle - 1
  }
  return low
}

export interface Snippet {
  snippet: string
  /** Begin and end, in code points. */
  marks: number[][]
}

/** Null if none of the terms is in the text. */
export function around(text: string, finders: readonly RegExp[], length = LENGTH): Snippet | null {
  const parts: string[] = []
  /** Before each cluster, and before the end: UTF-16 units of the folded text, code points of `text`. */
  const units = [0]
  const places = [0]
  for (const [one] of text.matchAll(cluster)) {
    const part = foldCluster(one)
    parts.push(part)
    units.push(units.at(-1)! + part.length)
    places.push(places.at(-1)! + countCodePoints(one))
  }
  const folded = parts.join('')
  const marks = finders
    .flatMap((one) => Array.from(folded.matchAll(one)))
    .filter(([whole]) => whole.length > 0)
    .map(({ 0: whole, index }): [number, number] => [
      places[lastUpTo(units, index)]!,
      places[lastUpTo(units, index + whole.length - 1) + 1]!,
    ])
    .sort(([a], [b]) => a - b)
  if (!marks.length) return null
  const points = [...text]
  const first = marks[0]![0]
  // The first mark is in the first lines, also on a phone.
  const from = first <= 2 * BEFORE || points.length <= SHORT ? 0 : wordStart(points, first - BEFORE, first)
  return cut(points, from, length, marks)
}

function cut(points: readonly string[], near: number, length: number, marks: readonly number[][]): Snippet {
  const before = points.slice(0, near).join('')
  const from = [...before.slice(0, graphemeStart(points.join(''), before.length))].length
  const shown = shorten(points.slice(from).join(''), length)
  const lead = from > 0 ? 1 : 0
  const to = from + [...shown].length - (from + [...shown].length < points.length ? 1 : 0)
  const merged: number[][] = []
  for (const [begin, end] of marks as [number, number][]) {
    if (begin < from || end > to) continue
    const [a, b] = [begin - from + lead, end - from + lead]
    const last = merged.at(-1)
    if (last && a <= last[1]!) last[1] = Math.max(last[1]!, b)
    else merged.push([a, b])
  }
  return { snippet: `${lead ? '…' : ''}${shown.replace(/\s/g, ' ')}`, marks: merged }
}

/** The beginning, without marks. */
export const beginning = (text: string): Snippet => cut([...text], 0, LENGTH, [])
