import type { Language } from '#core/contract.ts'
import * as dates from '#web/dates.ts'
import type { Poll } from '../contract.ts'

type Option = Poll['options'][number]

/** Such as “Thursday, 14 May, 19:00”. */
export function dateLabel({ day, time }: Pick<Option, 'day' | 'time'>, lang: Language) {
  const at = `${day}T${time ?? '12:00'}`
  return time === null ? dates.weekday(at, lang) : `${dates.weekday(at, lang)} ${dates.clock(at, lang)}`
}
