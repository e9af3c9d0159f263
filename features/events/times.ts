import { RRuleTemporal } from 'rrule-temporal'
import type { Language, Sentence } from '#core/contract.ts'
import { fieldError } from '#core/http/errors.ts'
import { createFormatters } from '#core/text/times.ts'
import { MAX_DATES, MAX_LENGTH, weekdays } from './contract.ts'
import type { EventDate, NewEvent, Repetition } from './schemas.ts'

// Wall-clock times of a zone, and the moments that they are. `2026-12-05T19:30`, or `2026-12-05` for whole days.

export interface Span {
  begins: string
  ends: string
}

const YEAR = 366 * 86_400_000
/** In ms from now. */
const MAX_AHEAD = 3 * YEAR

export const isAllDay = ({ begins }: Pick<Span, 'begins'>) => !begins.includes('T')

const zoned = (wall: string, zone: string) => Temporal.PlainDateTime.from(wall).toZonedDateTime(zone)
const iso = (time: Temporal.ZonedDateTime) => new Date(time.epochMilliseconds).toISOString()

/** In UTC. The end is the first moment after it. */
export function momentsOf({ begins, ends }: Span, zone: string) {
  const end = isAllDay({ begins }) ? zoned(ends, zone).add({ days: 1 }) : zoned(ends, zone)
  return { begins_at: iso(zoned(begins, zone)), ends_at: iso(end) }
}

const texts = {
  date: { en: 'Choose a day and a time.', ja: '日付と時刻を選んでください。' },
  kinds: { en: 'Give both a time of day, or none.', ja: '時刻は、開始と終了の両方に入れてください。' },
  order: { en: 'The end must be after the beginning.', ja: '終了は、開始よりあとにしてください。' },
  long: { en: 'It lasts at most 31 days.', ja: '期間は31日以内にしてください。' },
  past: {
    en: 'Choose a beginning within the next three years.',
    ja: '開始は、今から3年以内にしてください。',
  },
  until: {
    en: 'Choose a last day within three years after it.',
    ja: '繰り返しの最後の日は、開始から3年以内にしてください。',
  },
  many: { en: `It repeats at most ${MAX_DATES} times.`, ja: `繰り返しは${MAX_DATES}回までです。` },
  answers: { en: 'Answers end before it begins.', ja: '回答の締め切りは、開始より前にしてください。' },
} satisfies Record<string, Sentence>

const refuse = (field: string, text: keyof typeof texts) => fieldError(field, texts[text])

/** 422 unless the day exists and the end is after the beginning. `prefix` is of the names of the fields. */
export function requireSpan(span: Span, zone: string, prefix = '') {
  for (const field of ['begins', 'ends'] as const)
    if (!isReal(span[field])) throw refuse(prefix + field, 'date')
  if (isAllDay(span) !== isAllDay({ begins: span.ends })) throw refuse(`${prefix}ends`, 'kinds')
  const moments = momentsOf(span, zone)
  const length = Date.parse(moments.ends_at) - Date.parse(moments.begins_at)
  if (length <= 0) throw refuse(`${prefix}ends`, 'order')
  if (length > MAX_LENGTH) throw refuse(`${prefix}ends`, 'long')
  return moments
}

function isReal(wall: string) {
  try {
    return Temporal.PlainDateTime.from(wall, { overflow: 'reject' }).toString().startsWith(wall)
  } catch {
    return false
  }
}

/** 422 unless it is within three years, and at most a day ago. */
export function requireAhead(begins_at: string, field: string) {
  const ahead = Date.parse(begins_at) - Date.now()
  if (ahead < -86_400_000 || ahead > MAX_AHEAD) throw refuse(field, 'past')
}

/** In UTC. 422 unless it is before the beginning. */
export function requireUntil(until: string | null, begins_at: string, field: string) {
  if (until === null) return null
  const at = new Date(until).toISOString()
  if (at > begins_at) throw refuse(field, 'answers')
  return at
}

/** Without the day of the week or month that follows from the beginning. */
function ruleOf({ unit, every, days, by_weekday, until }: Repetition, begins: string, zone: string) {
  const names = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' }
  const parts = [`FREQ=${names[unit]}`]
  if (every > 1) parts.push(`INTERVAL=${every}`)
  const first = Temporal.PlainDate.from(begins.slice(0, 10))
  const weekday = weekdays[first.dayOfWeek - 1]!
  if (unit === 'week' && days.length)
    parts.push(`BYDAY=${weekdays.filter((day) => day === weekday || days.includes(day)).join(',')}`)
  if (unit === 'month' && by_weekday) parts.push(`BYDAY=${nthOf(first)}${weekday}`)
  return [...parts, `UNTIL=${untilOf(until, begins, zone)}`].join(';')
}

/** In UTC for times, a date for whole days (RFC 5545, 3.3.10). */
function untilOf(until: string, begins: string, zone: string) {
  if (isAllDay({ begins })) return until.replaceAll('-', '')
  const end = zoned(until, zone).add({ days: 1 }).subtract({ seconds: 1 })
  return `${iso(end).slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

/** Which of these weekdays of its month: 1 to 4, or -1 for the last. */
const nthOf = ({ day, daysInMonth }: Temporal.PlainDate) => (day + 7 > daysInMonth ? -1 : Math.ceil(day / 7))

/** The first one included. 422 for a wrong last day, and for more than `MAX_DATES`. */
function datesOf({ begins, ends, zone }: Span & { zone: string }, rule: string, until: string): Span[] {
  const last = Temporal.PlainDate.from(begins.slice(0, 10)).add({ years: 3 })
  if (!isReal(until) || until < begins.slice(0, 10) || Temporal.PlainDate.compare(until, last) > 0)
    throw refuse('event.repeats', 'until')
  const found = new RRuleTemporal({ rruleString: rule, dtstart: zoned(begins, zone) }).all(
    (_, index) => index <= MAX_DATES,
  )
  if (found.length > MAX_DATES) throw refuse('event.repeats', 'many')
  return found.map((at) => moved({ begins, ends }, begins, wallOf(at.toPlainDateTime(), begins)))
}

const wallOf = (at: Temporal.PlainDateTime, like: string) =>
  at.toString({ smallestUnit: 'minute' }).slice(0, like.length)

/** As far as from one wall-clock time to another: hours stay as they are when the clocks change. */
export function moved(span: Span, from: string, to: string): Span {
  const shift = Temporal.PlainDateTime.from(from).until(Temporal.PlainDateTime.from(to), {
    largestUnit: 'day',
  })
  const move = (wall: string) => wallOf(Temporal.PlainDateTime.from(wall).add(shift), wall)
  return { begins: move(span.begins), ends: move(span.ends) }
}

/** All dates of a new event, with their moments. 422 for a wrong field. */
export function planned(event: NewEvent) {
  const { zone, repeats } = event
  const first = requireSpan(event, zone, 'event.')
  requireAhead(first.begins_at, 'event.begins')
  const until = requireUntil(event.answers_until, first.begins_at, 'event.answers_until')
  const before = until === null ? null : Date.parse(first.begins_at) - Date.parse(until)
  const rule = repeats && ruleOf(repeats, event.begins, zone)
  const spans = rule === null ? [event] : datesOf(event, rule, repeats!.until)
  return {
    rule,
    dates: spans.map(({ begins, ends }) => {
      const moments = momentsOf({ begins, ends }, zone)
      return { begins, ends, ...moments, answers_until: earlier(moments.begins_at, before) }
    }),
  }
}

/** `before`: in ms, null for no end of answers. */
export const earlier = (at: string, before: number | null) =>
  before === null ? null : new Date(Date.parse(at) - before).toISOString()

/** As the clocks show it at its place, such as “Saturday 5 December 2026, 19:30–21:00”. */
export function whenOf({ begins_at, ends_at, all_day, zone, begins, ends }: EventDate, lang: Language) {
  const { formatDay, formatTimeOfDay } = createFormatters(lang, zone)
  const last = new Date(Date.parse(ends_at) - 1).toISOString()
  const isOneDay = begins.slice(0, 10) === ends.slice(0, 10)
  const day = formatDay(begins_at)
  if (all_day) return isOneDay ? day : `${day} – ${formatDay(last)}`
  const end = formatTimeOfDay(ends_at)
  return `${day} ${formatTimeOfDay(begins_at)}–${isOneDay ? end : `${formatDay(last)} ${end}`}`
}
