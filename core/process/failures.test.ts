import type { FastifyBaseLogger } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFailures } from './failures.ts'

test('a failure is logged when it begins, each minute with a count, and when it is over', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: unknown[] = []
  const log = {
    error: (details: { id?: string; count?: number }, message: string) =>
      lines.push([details.id ?? details.count, message]),
    warn: (message: string) => lines.push(message),
  } as unknown as FastifyBaseLogger
  const failures = createFailures()
  const fail = (id: string, message = 'No database') => failures.add(log, message, { err: new Error(), id })
  for (const id of ['a', 'b', 'c']) fail(id)
  fail('d', 'Disk full')
  vi.advanceTimersByTime(60_000)
  vi.advanceTimersByTime(120_000)
  fail('e')
  expect(lines).toEqual([
    ['a', 'No database'],
    ['d', 'Disk full'],
    [2, 'Still failing: No database'],
    'No longer failing: Disk full',
    'No longer failing: No database',
    ['e', 'No database'],
  ])
})
