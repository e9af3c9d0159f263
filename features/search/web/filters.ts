import { findAttachment, type Operator, partsOf } from '../operators-contract.ts'

/** Filters as they stand in the query, such as `has:picture`. */
export function split(q: string) {
  const words: string[] = []
  const filters: string[] = []
  for (const { typed, operator, value } of partsOf(q)) (operator && value ? filters : words).push(typed)
  return { words: words.join(' '), filters }
}

/** An unfinished operator stands at the end, where it takes no filter for its value. */
export function join(words: string, filters: readonly string[]) {
  const typed = words.trim()
  return (/[:：]$/.test(typed) ? [...filters, typed] : [typed, ...filters]).filter(Boolean).join(' ')
}

const quote = (value: string) =>
  /^[^\s"“”„«»「」]+$/.test(value) ? value : `"${value.replace(/["“”„«»]/g, ' ').trim()}"`

export const filter = (operator: Operator, value: string) => `${operator}:${quote(value)}`

/** Undefined for a word. */
export function parse(text: string) {
  const [{ operator, value } = { value: '' }] = partsOf(text)
  return operator && { operator, value, attachment: operator === 'has' ? findAttachment(value) : undefined }
}

const times: readonly (Operator | undefined)[] = ['before', 'after', 'on']
export const isTime = (text: string) => times.includes(parse(text)?.operator)

const DAY = 24 * 3600_000
/** Of `2026-11-30`. */
export const addDays = (day: string, count: number) =>
  new Date(Date.parse(`${day}T00:00Z`) + count * DAY).toISOString().slice(0, 10)

const dayOf = (date: Date) =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
export const today = () => dayOf(new Date())
export const monday = () => addDays(today(), -((new Date().getDay() + 6) % 7))

/** `after:` and `before:` leave the day itself out. */
export const since = (day: string) => filter('after', addDays(day, -1))
export const until = (day: string) => filter('before', addDays(day, 1))
