import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createBuckets, type TokenBuckets } from '#core/realtime/token-buckets.ts'

const ann = { address: '192.0.2.1', user: { id: 7 } }
const ben = { ...ann, user: { id: 8 } }
const visitor = { address: '192.0.2.1', user: null }

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

function buckets() {
  const created = createBuckets({ RATE_LIMIT: true })
  onTestFinished(created.close)
  return created
}

/** How many of `tries` succeed. */
const allowed = (
  all: TokenBuckets,
  kind: Parameters<TokenBuckets['consume']>[0],
  tries: number,
  who: Parameters<TokenBuckets['consume']>[1] = ann,
) => Array.from({ length: tries }, () => all.consume(kind, who)).filter(Boolean).length

test('a full bucket can be emptied at once, and refills', () => {
  const all = buckets()
  expect(allowed(all, 'clientEvents', 100)).toBe(40)
  vi.advanceTimersByTime(500)
  expect(allowed(all, 'clientEvents', 100)).toBe(10)
  vi.advanceTimersByTime(60_000)
  expect(allowed(all, 'clientEvents', 100)).toBe(40)
  expect(allowed(all, 'clientEvents', 1000, visitor)).toBe(400)
})

test('a member has the limit, and another member of the address the same', () => {
  const all = buckets()
  let sent = 0
  for (let second = 0; second < 60; second++) {
    sent += allowed(all, 'frames', 2000)
    vi.advanceTimersByTime(1000)
  }
  expect(sent).toBe(2000 + 59 * 200)
  expect(allowed(all, 'subscriptions', 1000)).toBe(800)
  expect(allowed(all, 'subscriptions', 1000, ben)).toBe(800)
})
