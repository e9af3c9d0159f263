import type { Language } from '#core/contract.ts'
import * as dates from '#web/dates.ts'
import { weekdays } from '../contract.ts'

type Weekday = (typeof weekdays)[number]

const units = {
  en: {
    DAILY: ['day', 'days'],
    WEEKLY: ['week', 'weeks'],
    MONTHLY: ['month', 'months'],
    YEARLY: ['year', 'years'],
  },
  ja: {
    DAILY: ['毎日', '日ごと'],
    WEEKLY: ['毎週', '週間ごと'],
    MONTHLY: ['毎月', 'か月ごと'],
    YEARLY: ['毎年', '年ごと'],
  },
} as const

export const weekdayName = (day: Weekday, lang: Language, style: 'short' | 'long' = 'short') =>
  dates.dayName(`2024-01-0${1 + weekdays.indexOf(day)}T12:00`, lang, style)

/** An RRULE in words: “every week on Tue, Thu until 1 Apr 2027”. */
export function ruleWords(rule: string, lang: Language) {
  const parts = Object.fromEntries(rule.split(';').map((part) => part.split('='))) as Record<string, string>
  const every = Number(parts.INTERVAL ?? 1)
  const [one, many] = units[lang][parts.FREQ as keyof typeof units.en]
  const days = (parts.BYDAY ?? '').split(',').filter(Boolean)
  const ja = lang === 'ja'
  const on = days.map((day) => {
    const nth = Number(/^-?\d+/.exec(day)?.[0] ?? 0)
    const name = weekdayName(day.slice(-2) as 'MO', lang, ja && nth ? 'long' : 'short')
    if (!nth) return name
    if (ja) return nth < 0 ? `最終${name}` : `第${nth}${name}`
    return `the ${nth < 0 ? 'last' : ['first', 'second', 'third', 'fourth'][nth - 1]} ${name}`
  })
  const until = parts.UNTIL ?? ''
  const last = until.includes('T')
    ? `${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6, 8)}T${until.slice(9, 11)}:${until.slice(11, 13)}Z`
    : `${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6, 8)}T12:00`
  const end = dates.medium(last, lang)
  if (ja)
    return `${every === 1 ? one : `${every}${many}`}${on.length ? `（${on.join('・')}）` : ''}、${end}まで`
  return `every ${every === 1 ? one : `${every} ${many}`}${on.length ? ` on ${on.join(', ')}` : ''} until ${end}`
}
