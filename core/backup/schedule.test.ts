import { expect, test } from 'vitest'
import { lastDueDay } from '#core/backup/schedule.ts'

const local = (...parts: [number, number, number, number, number]) =>
  new Date(parts[0], parts[1] - 1, ...(parts.slice(2) as [number, number, number]))

test.each([
  ['03:30', local(2026, 11, 21, 3, 30), '2026-11-21'],
  ['03:30', local(2026, 11, 21, 3, 29), '2026-11-20'],
  ['03:30', local(2026, 11, 21, 23, 59), '2026-11-21'],
  ['23:50', local(2026, 11, 21, 0, 10), '2026-11-20'],
  ['00:00', local(2026, 11, 21, 0, 0), '2026-11-21'],
  ['03:30', local(2026, 3, 1, 1, 0), '2026-02-28'],
  ['03:30', local(2027, 1, 1, 1, 0), '2026-12-31'],
  // 02:30 does not exist in the night when the clock goes forward; that night still has one backup.
  ['02:30', local(2026, 3, 29, 12, 0), '2026-03-29'],
])('a backup at %s is due, as of %s, for %s', (at, moment, night) =>
  expect(lastDueDay(at, moment)).toBe(night),
)
