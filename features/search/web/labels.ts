import { CalendarDays, MapPin, MinusCircle, Paperclip, UserRound } from 'lucide-react'
import type { Language } from '#core/contract.ts'
import { dot } from '#core/text/dot.ts'
import * as dates from '#web/dates.ts'
import type { LucideIcon } from '#web/ui/Icon.tsx'
import { addDays, monday, parse, since, split } from './filters.ts'
import { filterText } from './text.ts'

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value)
const isMonth = (value: string) => /^\d{4}-\d\d$/.test(value)
/** Of a day without a time zone. */
const shown = (day: string, lang: Language) => dates.medium(`${day}T12:00`, lang)

/** What a filter of the query says, in the words of the reader. */
export function labelOf(text: string, lang: Language): string {
  const t = filterText[lang]
  const { operator, value, attachment } = parse(text) ?? { value: '' }
  switch (operator) {
    case 'from':
      return /^(me|自分|わたし|私)$/i.test(value) ? t.fromMe : t.from(value)
    case 'in':
      return t.in(value)
    case 'has':
      return attachment ? t.attachments[attachment] : text
    case 'on':
      return dayLabel(value, lang)
    case 'after':
      if (text === since(monday())) return t.week
      return isDay(value) ? t.since(shown(addDays(value, 1), lang)) : t.after(value)
    case 'before':
      return isDay(value) ? t.until(shown(addDays(value, -1), lang)) : t.before(value)
    default:
      return text.startsWith('-') ? t.excluded(text.slice(1)) : text
  }
}

function dayLabel(value: string, lang: Language) {
  const t = filterText[lang]
  if (/^(today|今日|きょう)$/i.test(value)) return t.today
  if (/^(yesterday|昨日|きのう)$/i.test(value)) return t.yesterday
  if (isMonth(value)) return t.day(dates.month(`${value}-01T12:00`, lang))
  return t.day(isDay(value) ? shown(value, lang) : value)
}

export function iconOf(text: string): LucideIcon {
  const operator = parse(text)?.operator
  if (operator === 'from') return UserRound
  if (operator === 'in') return MapPin
  if (operator === 'has') return Paperclip
  return operator ? CalendarDays : MinusCircle
}

/** A query as a line of words and labels. */
export function describe(q: string, lang: Language) {
  const { words, filters } = split(q)
  return [words, ...filters.map((one) => labelOf(one, lang))].filter(Boolean).join(dot[lang])
}

/** What the server advises to leave out: a word, or one or all of the filters. */
export const describeLeft = (text: string, lang: Language) => {
  const { words, filters } = split(text)
  return filters.length ? describe(text, lang) : labelOf(words, lang)
}
