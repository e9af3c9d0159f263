import { localTime } from '#core/text/times.ts'

/** ISO 8601. `to` is the first moment after. */
interface Span {
  from: string
  to: string
}

const DAY = 24 * 3600_000
/** Days before today. */
const words = new Map([
  ['today', 0],
  ['今日', 0],
  ['きょう', 0],
  ['yesterday', 1],
  ['昨日', 1],
  ['きのう', 1],
  ['一昨日', 2],
  ['おととい', 2],
])

/**
 * The day, month or year that `2026-11-30`, `2026/11`, `2026年11月30日`, `11/30`, `今日` or `yesterday` names in the time
 * zone; null for anything else.
 */
export function calendarSpan(text: string, timeZone: string, now = Date.now()): Span | null {
  const ago = words.get(text.toLowerCase())
  if (ago !== undefined) {
    const { year, month, day } = localTime(now, timeZone)
    return span([year, month, day - ago], [year, month, day - ago + 1], timeZone)
  }
  const digits = text.replace(/[/.年月]/g, '-').replace(/[-日]$/, '')
  if (/^\d{1,2}-\d{1,2}$/.test(digits)) {
    const { year } = localTime(now, timeZone)
    const found = calendarSpan(`${year}-${digits}`, timeZone, now)
    // The last one that has begun.
    return found && Date.parse(found.from) > now
      ? calendarSpan(`${year - 1}-${digits}`, timeZone, now)
      : found
  }
  if (!/^\d{4}(-\d{1,2}){0,2}$/.test(digits)) return null
  const [year, month, day] = digits.split('-').map(Number)
  if (!month) return span([year!, 1, 1], [year! + 1, 1, 1], timeZone)
  if (month > 12) return null
  if (!day) return span([year!, month, 1], [year!, month + 1, 1], timeZone)
  const last = new Date(Date.UTC(year!, month, 0)).getUTCDate()
  return day > last ? null : span([year!, month, day], [year!, month, day + 1], timeZone)
}

type Day = readonly [year: number, month: number, day: number]

const span = (from: Day, to: Day, timeZone: string): Span => ({
  from: midnight(from, timeZone),
  to: midnight(to, timeZone),
})

/** The begin of a day; of the next hour where clocks skip midnight. */
function midnight([year, month, day]: Day, timeZone: string) {
  const wanted = Date.UTC(year, month - 1, day)
  const offsetAt = (time: number) => {
    const local = localTime(time, timeZone)
    return Date.UTC(local.year, local.month - 1, local.day, local.hour, local.minute, local.second) - time
  }
  const guess = wanted - offsetAt(wanted)
  const found = wanted - offsetAt(guess)
  return new Date(Math.max(Math.min(found, wanted + DAY), wanted - DAY)).toISOString()
}
