import { expect, test } from 'vitest'
import { choicesAt } from '../web/choices.ts'

/** In the time zone of the device. Days of November 2026, of which the 30th is a Monday. */
const at = (day: number, hours: number, minutes = 0) => new Date(2026, 10, day, hours, minutes)
const offered = (now: Date) => choicesAt(now).map(([name, time]) => [name, new Date(time)])

test.each([
  ['on a Wednesday', at(25, 12), { evening: at(25, 19), tomorrow: at(26, 7), monday: at(30, 7) }],
  ['in the evening', at(25, 18, 59), { tomorrow: at(26, 7), monday: at(30, 7) }],
  ['on a Sunday', at(29, 9), { evening: at(29, 19), tomorrow: at(30, 7) }],
  ['early on a Monday', at(30, 5), { evening: at(30, 19), tomorrow: at(31, 7), monday: at(37, 7) }],
])('the times that are offered %s', (_, now, expected) => {
  expect(offered(now)).toEqual(Object.entries(expected))
})
