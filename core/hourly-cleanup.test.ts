import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startHourlyCleanup } from './hourly-cleanup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a clean-up runs at once and every hour, also after an error, until it is closed', async () => {
  const warn = vi.fn()
  const cleanUp = vi.fn(async () => {
    if (cleanUp.mock.calls.length === 2) throw new Error('disk full')
  })
  const { close } = startHourlyCleanup({ log: { warn } }, cleanUp, 'later')
  expect(cleanUp).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2.5 * 3600_000)
  expect(cleanUp).toHaveBeenCalledTimes(3)
  expect(warn).toHaveBeenCalledExactlyOnceWith({ err: new Error('disk full') }, 'later')
  await close()
  await vi.advanceTimersByTimeAsync(3 * 3600_000)
  expect(cleanUp).toHaveBeenCalledTimes(3)
})

test('a clean-up that takes longer than an hour does not overlap with the next, and close waits', async () => {
  const runs: PromiseWithResolvers<void>[] = []
  const cleanUp = vi.fn(() => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  })
  const { close } = startHourlyCleanup({ log: { warn: vi.fn() } }, cleanUp, 'later')
  await vi.advanceTimersByTimeAsync(2.5 * 3600_000)
  expect(cleanUp).toHaveBeenCalledTimes(1)
  runs[0]!.resolve()
  await vi.advanceTimersByTimeAsync(3600_000)
  expect(cleanUp).toHaveBeenCalledTimes(2)
  let isClosed = false
  const closing = close().then(() => {
    isClosed = true
  })
  await vi.advanceTimersByTimeAsync(2 * 3600_000)
  expect([isClosed, cleanUp.mock.calls.length]).toEqual([false, 2])
  runs[1]!.resolve()
  await closing
})
