import { localTime } from '#core/text/times.ts'
import type { QuietHours } from './settings-contract.ts'

export type ZonedQuietHours = QuietHours & { time_zone: string }

const MINUTE = 60_000
const MINUTES_OF_DAY = 24 * 60
/** Clock changes move the clock by at most this many minutes, except where a date is skipped. */
const LONGEST_CLOCK_CHANGE = 120
const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Returns the time of day that clocks in a time zone show at `time` (in ms), as minutes since 00:00. */
function readClock(timeZone: string, time: number) {
  const { hour, minute } = localTime(time, timeZone)
  return hour * 60 + minute
}

/**
 * Returns how many minutes the clock has to go on until the quiet hours end; 0 if `time` is outside of them.
 */
function countMinutesLeft({ from, to, time_zone }: ZonedQuietHours, time: number) {
  const since = (start: number, end: number) => (end - start + MINUTES_OF_DAY) % MINUTES_OF_DAY
  const now = readClock(time_zone, time)
  const [begin, end] = [toMinutes(from), toMinutes(to)]
  return since(begin, now) < since(begin, end) ? since(now, end) : 0
}

/**
 * Returns the end of the quiet hours in which `time` lies, in ms; `time` itself if it lies in none. The
 * clocks in the time zone decide: on the day of a clock change the quiet hours are longer or shorter, and a
 * time that the change skips counts as passed.
 */
function findEndOfOne(hours: ZonedQuietHours, time: number) {
  let end = time
  for (let left = countMinutesLeft(hours, end); left; left = countMinutesLeft(hours, end)) {
    // Begins at the full minute, because the clock shows minutes.
    end = Math.floor(end / MINUTE) * MINUTE
    // Goes on in single minutes near the end, because the clock may change there.
    end += MINUTE * (left > LONGEST_CLOCK_CHANGE ? left - LONGEST_CLOCK_CHANGE : 1)
  }
  return end
}

/**
 * Returns the end of the quiet hours in which `now` lies, together with other quiet hours that follow without
 * a break; null if `now` lies in none of them. If they never end, returns a time that is at least two days
 * after `now`.
 */
export function endOfQuietHours(now: Date, allHours: readonly ZonedQuietHours[]) {
  const begin = now.getTime()
  const latest = begin + 2 * MINUTES_OF_DAY * MINUTE
  let end = begin
  for (let before = -1; before !== end && end < latest; ) {
    before = end
    for (const hours of allHours) end = findEndOfOne(hours, end)
  }
  return end === begin ? null : new Date(end)
}
