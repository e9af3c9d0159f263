import type { Language } from '#core/contract.ts'
import * as dates from '#web/dates.ts'
import type { EventDate } from '../contract.ts'

type Times = Pick<EventDate, 'begins' | 'ends' | 'all_day' | 'zone' | 'begins_at'>

const day = (wall: string) => wall.slice(0, 10)
/** Of the wall clock of the event, whatever the zone of the device. */
const noon = (wall: string) => `${day(wall)}T12:00`

const until = (lang: Language) => (lang === 'ja' ? '〜' : '–')

/** Such as “Saturday, 5 December, 19:30–21:00”, as the clocks show it at its place. */
export function when({ begins, ends, all_day }: Times, lang: Language) {
  const first = dates.weekday(noon(begins), lang)
  const to = until(lang)
  if (all_day) return day(begins) === day(ends) ? first : `${first}${to}${dates.weekday(noon(ends), lang)}`
  const from = dates.clock(begins, lang)
  const end = dates.clock(ends, lang)
  return day(begins) === day(ends)
    ? `${first} ${from}${to}${end}`
    : `${first} ${from}${to}${dates.weekday(noon(ends), lang)} ${end}`
}

export const timeOnly = ({ begins, ends, all_day }: Times, lang: Language) =>
  all_day
    ? null
    : day(begins) === day(ends)
      ? `${dates.clock(begins, lang)}${until(lang)}${dates.clock(ends, lang)}`
      : dates.clock(begins, lang)

/** Null if the clocks of the device show the same. */
export function foreignZone({ zone, begins_at, begins, all_day }: Times, lang: Language) {
  if (all_day) return null
  const here = new Date(begins_at)
  const same = here.getTime() === new Date(begins).getTime()
  return same ? null : { zone: dates.zoneName(zone, lang), here: dates.dayAndClock(begins_at, lang) }
}

export const dayOf = day
