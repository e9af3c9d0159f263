import type { ViewerContext } from '#features/people/visibility.ts'
import { collect } from './collect.ts'
import type { Plan } from './plan.ts'
import * as plans from './plan.ts'
import type { Term } from './query.ts'
import { allTexts, fileNames, kinds } from './sources.ts'
import { fold, runs } from './words.ts'

// Near spellings: words of texts that the viewer may see, so a suggestion tells nothing that a search does not.

/** Texts with the beginning or end of the word that are looked at. */
const MAX_TEXTS = 30
/** In UTF-16 units: what is read of each. */
const MAX_READ = 2000
/** Shorter words have too many neighbours. In units. */
const MIN_LENGTH = { spaced: 4, unspaced: 3 }

/** The term in a spelling that members have used; null if there is none. */
export async function spelling(viewer: ViewerContext, plan: Plan, term: Term): Promise<string | null> {
  const [run, ...others] = runs(term.text)
  if (!run || others.length || run.text !== term.text) return null
  const { text, isUnspaced } = run
  const units = [...text]
  if (units.length < MIN_LENGTH[isUnspaced ? 'unspaced' : 'spaced']) return null
  const size = Math.min(Math.ceil(units.length / 2), 3)
  const begin = units.slice(0, size).join('')
  // Only scripts without spaces are found by the end of a word.
  const other = isUnspaced ? units.slice(-size) : units.slice(0, 2)
  for (const anchor of [begin, other.join('')]) {
    const found = nearest(
      text,
      isUnspaced,
      anchor,
      await folded(viewer, plan, { ...term, text: anchor, isExact: false }),
    )
    if (found) return found
  }
  return null
}

/** The folded texts that have the term instead of those of the plan. */
async function folded(viewer: ViewerContext, plan: Plan, term: Term) {
  const all: string[] = []
  for (const kind of kinds) {
    const asked = await plans.ask(viewer, kind, { ...plan, terms: [term] })
    const { texts } = await collect(viewer, kind, asked, MAX_TEXTS)
    for (const text of texts.slice(0, MAX_TEXTS)) {
      const whole = fold([...allTexts(text), ...fileNames(text)].join('\n'))
      const from = Math.max(0, whole.indexOf(term.text) - MAX_READ / 2)
      all.push(whole.slice(from, from + MAX_READ))
    }
  }
  return all
}

/** The most frequent of the nearest words. */
function nearest(text: string, isUnspaced: boolean, anchor: string, texts: readonly string[]) {
  const counts = new Map<string, number>()
  for (const one of texts)
    for (const word of new Set(isUnspaced ? windows(text, anchor, one) : runs(one).map((run) => run.text)))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  const allowed = [...text].length < 6 ? 1 : 2
  const begins = (word: string) => (word.startsWith([...text][0]!) ? 0 : 1)
  const near = [...counts]
    .map(([word, count]) => ({ word, count, far: distance(text, word, allowed) }))
    .filter(({ far }) => far > 0 && far <= allowed)
    .sort((a, b) => a.far - b.far || begins(a.word) - begins(b.word) || b.count - a.count)
  return near[0]?.word ?? null
}

/** Parts of a text about as long as the word, at the places of its beginning or end. */
function* windows(word: string, anchor: string, text: string) {
  const isBegin = word.startsWith(anchor)
  for (const { text: run, isUnspaced } of runs(text)) {
    if (!isUnspaced) continue
    for (let at = run.indexOf(anchor); at >= 0; at = run.indexOf(anchor, at + 1))
      for (const length of [word.length, word.length - 1, word.length + 1]) {
        const from = isBegin ? at : at + anchor.length - length
        if (from >= 0 && from + length <= run.length) yield run.slice(from, from + length)
      }
  }
}

/** Changed, missing, added or exchanged letters; above `max` if there are more. */
function distance(a: string, b: string, max: number) {
  const [left, right] = [[...a], [...b]]
  if (Math.abs(left.length - right.length) > max) return max + 1
  let [before, last]: [number[], number[]] = [
    [],
    Array.from({ length: right.length + 1 }, (_, index) => index),
  ]
  for (const [i, one] of left.entries()) {
    const row = [i + 1]
    for (const [j, other] of right.entries()) {
      const cost = one === other ? 0 : 1
      let value = Math.min(row[j]! + 1, last[j + 1]! + 1, last[j]! + cost)
      if (i > 0 && j > 0 && one === right[j - 1] && left[i - 1] === other)
        value = Math.min(value, before[j - 1]! + 1)
      row.push(value)
    }
    ;[before, last] = [last, row]
  }
  return last[right.length]!
}
