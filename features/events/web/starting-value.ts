import * as dates from '#web/dates.ts'
import type { NewEventInput } from '../contract.ts'

/** Next Saturday from ten to twelve, as the clocks of the device show it. */
export function startingValue(): NewEventInput {
  const day = new Date()
  day.setDate(day.getDate() + ((6 - day.getDay() + 7) % 7 || 7))
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
  return { title: '', begins: `${date}T10:00`, ends: `${date}T12:00`, zone: dates.timeZone() }
}
