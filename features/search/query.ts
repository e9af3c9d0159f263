import { fieldError, type HttpError } from '#core/http/errors.ts'
import { calendarSpan } from './dates.ts'
import { type AttachmentKind, findAttachment, type Operator, partsOf } from './operators-contract.ts'
import { fold, MAX_WORD, type Run, runs, wordsOf } from './words.ts'

// What somebody has typed: words, "phrases", -words, and operators in English or Japanese.

export interface Term {
  /** Folded. */
  text: string
  /** Between quotes: the last word is whole. */
  isExact: boolean
  isExcluded: boolean
  /** As it was typed, with its quotes and minus. */
  typed: string
}

export interface Query {
  /** Operators as they were typed, without unfinished ones. */
  filters: readonly string[]
  terms: readonly Term[]
  /** As they were typed: `me`, names and handles. */
  from: readonly string[]
  in: readonly string[]
  has: readonly AttachmentKind[]
  /** ISO 8601: `since` is the first time, `until` the first time after. */
  since: string | null
  until: string | null
}

/** Operators of one query, each of which may need a look at people or places. */
const MAX_OPERATORS = 10

/** 422 for an operator with a value that it does not know, and for too many operators. */
export function parse(q: string, timeZone: string): Query {
  const query = {
    filters: [] as string[],
    terms: [] as Term[],
    from: [] as string[],
    in: [] as string[],
    has: [] as AttachmentKind[],
    since: null as string | null,
    until: null as string | null,
  }
  for (const { typed, operator, value, isExcluded, isQuoted } of partsOf(q)) {
    if (operator) {
      if (value) query.filters.push(typed)
      apply(query, operator, value, timeZone)
    } else {
      for (const one of isQuoted ? [value] : typed.slice(isExcluded ? 1 : 0).split(listMarks)) {
        const text = fold(isQuoted ? one : trim(one))
        if (runs(text).length) query.terms.push({ text, isExact: isQuoted, isExcluded, typed })
      }
    }
  }
  if (query.filters.length > MAX_OPERATORS) throw tooMany()
  return query
}

/** Between words that are no phrase. */
const listMarks = /[,、;；]/u
const MARKS = String.raw`[.,:;?!¿¡。、…・"'“”‘’()\[\]{}<>（）「」『』【】〈〉《》]`
const edges = new RegExp(`^${MARKS}+|${MARKS}+$`, 'gu')
/** Without the marks of a sentence around the word. */
const trim = (text: string) => text.replace(edges, '')

type Draft = { -readonly [K in keyof Query]: Query[K] extends readonly (infer T)[] ? T[] : Query[K] }

/** An operator without a value is not finished, and says nothing yet. */
function apply(query: Draft, operator: Operator, value: string, timeZone: string) {
  if (!value) return
  if (operator === 'from' || operator === 'in') return void query[operator].push(value)
  if (operator === 'has') {
    const kind = findAttachment(value)
    if (!kind) throw unknownAttachment()
    return void query.has.push(kind)
  }
  const span = calendarSpan(value, timeZone)
  if (!span) throw unknownDate()
  if (operator !== 'before') query.since = later(query.since, operator === 'on' ? span.from : span.to)
  if (operator !== 'after') query.until = earlier(query.until, operator === 'on' ? span.to : span.from)
}

const later = (a: string | null, b: string) => (a !== null && a > b ? a : b)
const earlier = (a: string | null, b: string) => (a !== null && a < b ? a : b)

const tooMany = (): HttpError =>
  fieldError('q', {
    en: `Use at most ${MAX_OPERATORS} filters.`,
    ja: `絞り込みは${MAX_OPERATORS}個までにしてください。`,
  })
const unknownAttachment = (): HttpError =>
  fieldError('q', {
    en: 'After “has:”, write picture, file, link, poll or voice.',
    ja: '「has:」のあとには、写真・ファイル・リンク・投票・音声のどれかを書いてください。',
  })
const unknownDate = (): HttpError =>
  fieldError('q', {
    en: 'Write a date such as 2026-11-30, 2026-11, today or yesterday.',
    ja: '日付は 2026-11-30、2026-11、今日、昨日 のように書いてください。',
  })

/** The words of the index that a term needs side by side. `isOpen`: the last one may go on. */
export interface Phrase {
  words: readonly string[]
  isOpen: boolean
}

export function phrase({ text, isExact }: Term): Phrase {
  const found = runs(text)
  const last = found.at(-1)!
  const before = found.slice(0, -1).flatMap((one) => wordsOf(one))
  // A sign after it ends the run.
  if (!text.endsWith(last.text)) return { words: [...before, ...wordsOf(last)], isOpen: false }
  if (!last.isUnspaced) return { words: [...before, ...wordsOf(last)], isOpen: !isExact }
  const pairs = wordsOf(last, true)
  return pairs.length
    ? { words: [...before, ...pairs], isOpen: false }
    : { words: [...before, last.text], isOpen: true }
}

/**
 * Whether the text has to be looked at, because the index does not know what stands between its words, or a
 * word is longer than those of the index.
 */
export const needsLook = ({ text }: Term) => {
  const found = runs(text)
  return found.length > 1 || found[0]!.text !== text || isLong(found[0]!)
}
const isLong = ({ text, isUnspaced }: Run) => !isUnspaced && text.length > MAX_WORD
