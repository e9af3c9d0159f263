import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeatWithPauses, startHourly } from './hourly-cleanup.ts'

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn(async () => {}) }))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.mocked(sleep).mockReset()
})

test('a clean-up runs at once and every hour, also after an error, until it is closed', async () => {
  const warn = vi.fn()
  const cleanUp = vi.fn(async () => {
    if (cleanUp.mock.calls.length === 2) throw new Error('disk full')
  })
  const { close } = startHourly({ log: { warn } }, cleanUp, 'later')
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
  const { close } = startHourly({ log: { warn: vi.fn() } }, cleanUp, 'later')
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

/** Returns a function that takes 100 ms, and returns true for the first `count` calls. */
const createBatches = (count: number) => {
  const runBatch = vi.fn(async () => {
    vi.advanceTimersByTime(100)
    return runBatch.mock.calls.length <= count
  })
  return runBatch
}

test('a repeated deletion pauses three times as long as a batch, and ends when nothing is left', async () => {
  const runBatch = createBatches(2)
  await repeatWithPauses(runBatch)
  expect(runBatch).toHaveBeenCalledTimes(3)
  expect(vi.mocked(sleep).mock.calls.map(([ms]) => ms)).toEqual([300, 300])
})

test('a repeated deletion ends in its pause when it is aborted', async () => {
  const stopping = new AbortController()
  vi.mocked(sleep).mockImplementation(async (_ms, _value, options) => {
    stopping.abort()
    options!.signal!.throwIfAborted()
  })
  const runBatch = createBatches(Number.POSITIVE_INFINITY)
  await repeatWithPauses(runBatch, stopping.signal)
  expect(runBatch).toHaveBeenCalledTimes(1)
})
