import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Me } from '#features/people/contract.ts'
import type { ConversationState, UnsentMessage } from '../web/conversation.ts'

// Several tabs of one browser: each has an outbox of its own, and all share IndexedDB and the locks.
const nothing = { pictures: [], files: [] }
vi.hoisted(() => {
  const textContent = JSON.stringify({ app: {}, initialAnswers: [] })
  const documentElement = { lang: 'en' }
  Object.assign(globalThis, {
    document: { getElementById: () => ({ textContent }), cookie: '', documentElement },
  })
})
const stored = vi.hoisted(() => new Map<string, unknown>())
vi.mock('idb-keyval', () => ({
  del: async (key: string) => void stored.delete(key),
  entries: async () => [...stored],
  keys: async () => [...stored.keys()],
  set: async (key: string, value: unknown) => void stored.set(key, structuredClone(value)),
}))
vi.mock('#web/connection.ts', () => ({ isUnreachable: () => false }))
vi.mock('#web/lazyWithRetry.ts', () => ({ loadAfterRender: (load: () => unknown) => load() }))
const { ApiError } = await import('#web/api.ts')
const { createStore } = await import('#web/store.ts')
const { openOutbox } = await import('../web/conversation-outbox.ts')
await import('../web/unsent-storage.ts')

const ann = { id: 7, is_admin: false } as Me
const unavailable = new ApiError(503, '')

/** Opens a private chat of Ann in a tab. Each request that sends a message calls `answer`. */
function openTab(answer: (message: UnsentMessage) => unknown) {
  const state = createStore({
    info: null,
    messages: [],
    outgoing: [],
    waitsUntil: 0,
  } as unknown as ConversationState)
  const send = vi.fn(async (message: UnsentMessage) => answer(message))
  const outbox = openOutbox({
    conversation: { kind: 'private', id: 1 },
    me: ann,
    state,
    requests: { send } as never,
    onSent: () => {},
  })
  const texts = () => send.mock.calls.map(([{ text }]) => text)
  return { ...outbox, texts, outgoing: () => state.get().outgoing }
}
const settle = () => vi.advanceTimersByTimeAsync(10)
const seconds = (n: number) => vi.advanceTimersByTimeAsync(1000 * n)
const HOUR = 3600

function createLocks() {
  const last = new Map<string, Promise<unknown>>()
  const request = (name: string, run: () => Promise<unknown>) => {
    const result = (last.get(name) ?? Promise.resolve()).then(run)
    last.set(
      name,
      result.catch(() => {}),
    )
    return result
  }
  return { request }
}
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { locks: createLocks() })
  stored.clear()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('after a log-out in another tab, no waiting message is sent: it is no longer stored', async () => {
  let isLimited = true
  const tab = openTab(() => {
    if (isLimited) throw new ApiError(429, '', {}, 50)
    return {}
  })
  tab.send('of Ann', nothing)
  tab.send('also', nothing)
  await settle()
  stored.clear()
  isLimited = false
  await seconds(600)
  expect(tab.texts()).toEqual(['of Ann'])
  expect(tab.outgoing()).toEqual([])
})

test('stopped in the middle of an attempt, it sends no more, and brings back nothing that is stored', async () => {
  const tab = openTab(() => ({}))
  tab.send('of Ann', nothing)
  tab.stop()
  await settle()
  expect(stored.size).toBe(0)
  expect(openTab(() => ({})).outgoing()).toEqual([])
  const other = openTab(() => {
    throw unavailable
  })
  other.send('later', nothing)
  await settle()
  const reading = other.restore()
  other.stop()
  await reading
  await seconds(600)
  expect(tab.texts()).toEqual([])
  expect(other.texts()).toEqual(['later'])
  expect(other.outgoing()).toEqual([])
})

test('401 stops the messages after it, which keep their text; one press sends all in order', async () => {
  let isOut = true
  const tab = openTab(() => {
    if (isOut) throw new ApiError(401, '')
    return {}
  })
  tab.send('one', nothing)
  tab.send('two', nothing)
  await seconds(600)
  tab.resume()
  await settle()
  expect(tab.texts()).toEqual(['one'])
  expect(tab.outgoing()).toMatchObject([
    { text: 'one', state: 'failed', isWaiting: false, error: { status: 401 } },
    { text: 'two', state: 'failed', isWaiting: false, error: { status: 401 } },
  ])
  expect(stored.size).toBe(2)
  isOut = false
  tab.retry(tab.outgoing()[1]!.client_id)
  await settle()
  expect(tab.texts()).toEqual(['one', 'one', 'two'])
})

test('who goes on writing does not put off the next attempt', async () => {
  const end = Date.now() + 60_000
  const tab = openTab(() => {
    if (Date.now() < end) throw new ApiError(429, '', {}, 60)
    return {}
  })
  tab.send('first', nothing)
  await seconds(50)
  tab.send('second', nothing)
  await settle()
  expect(tab.outgoing()).toMatchObject([{ isWaiting: true }, { isWaiting: true }])
  expect(tab.texts()).toEqual(['first'])
  await seconds(10)
  expect(tab.texts()).toEqual(['first', 'first', 'second'])
})

test('only attempts double the wait', async () => {
  const tab = openTab(() => {
    throw unavailable
  })
  for (const text of ['one', 'two', 'three', 'four']) tab.send(text, nothing)
  await seconds(1)
  tab.send('five', nothing)
  await seconds(1)
  expect(tab.texts()).toHaveLength(2)
  await seconds(4)
  expect(tab.texts()).toHaveLength(3)
})

test('a reset connection without an outage is tried again', async () => {
  let isReset = true
  const tab = openTab(() => {
    if (isReset) throw new ApiError(0, '')
    return {}
  })
  tab.send('one', nothing)
  await settle()
  expect(tab.outgoing()).toMatchObject([{ isWaiting: true }])
  isReset = false
  await seconds(2)
  expect(tab.texts()).toEqual(['one', 'one'])
  expect(tab.outgoing()).toEqual([])
})

test.each([403, 404, 413, 422])(
  'after a refusal with %i, a visit says why and sends nothing',
  async (status) => {
    const refuse = () => {
      throw new ApiError(status, 'Because.')
    }
    const first = openTab(refuse)
    first.send('one', nothing)
    await settle()
    const next = openTab(() => ({}))
    await next.restore()
    await seconds(600)
    expect(next.texts()).toEqual([])
    expect(next.outgoing()).toMatchObject([
      { text: 'one', state: 'failed', error: { status, message: 'Because.' } },
    ])
    expect(next.outgoing()[0]!.error).toBeInstanceOf(ApiError)
  },
)

test('after a day, an unsent message waits for a press, and does not hold back newer ones', async () => {
  const tab = openTab(() => {
    throw unavailable
  })
  tab.send('old', nothing)
  await settle()
  tab.stop()
  await seconds(24 * HOUR)
  const next = openTab(() => ({}))
  await next.restore()
  next.send('new', nothing)
  await settle()
  expect(next.texts()).toEqual(['new'])
  expect(next.outgoing()).toMatchObject([{ text: 'old', state: 'failed', isWaiting: false, error: null }])
  next.retry(next.outgoing()[0]!.client_id)
  await settle()
  expect(next.texts()).toEqual(['new', 'old'])
  expect(stored.size).toBe(0)
})

test('an open page stops trying after a day', async () => {
  const tab = openTab(() => {
    throw unavailable
  })
  tab.send('old', nothing)
  await seconds(24 * HOUR + 61)
  const attempts = tab.texts().length
  await seconds(HOUR)
  expect(tab.texts()).toHaveLength(attempts)
  expect(tab.outgoing()).toMatchObject([{ text: 'old', state: 'failed', isWaiting: false }])
})

test('a message that was deleted in one tab is not sent by the other', async () => {
  let isDown = true
  const received: string[] = []
  const answer = ({ text }: UnsentMessage) => {
    if (isDown) throw unavailable
    received.push(text)
  }
  const one = openTab(answer)
  one.send('oops', nothing)
  one.send('kept', nothing)
  await settle()
  const two = openTab(answer)
  await two.restore()
  await settle()
  two.discard(two.outgoing()[0]!.client_id)
  await settle()
  isDown = false
  await seconds(120)
  expect(received).toEqual(['kept'])
  expect([...one.outgoing(), ...two.outgoing()]).toEqual([])
})

test('a press sends a message that was deleted in another tab', async () => {
  const tab = openTab(() => {
    throw unavailable
  })
  tab.send('one', nothing)
  await settle()
  stored.clear()
  tab.retry(tab.outgoing()[0]!.client_id)
  await settle()
  expect(tab.texts()).toEqual(['one', 'one'])
  expect(stored.size).toBe(1)
})

test('two tabs do not send the same message at once', async () => {
  let release = () => {}
  const answer = () => new Promise<void>((resolve) => (release = resolve))
  const one = openTab(answer)
  one.send('one', nothing)
  await settle()
  const two = openTab(answer)
  await two.restore()
  await settle()
  expect([...one.texts(), ...two.texts()]).toEqual(['one'])
  release()
  await settle()
  expect([...one.texts(), ...two.texts()]).toEqual(['one'])
  expect(two.outgoing()).toEqual([])
})

test('an outbox that is replaced stops, and the new one goes on with its messages', async () => {
  let isDown = true
  const answer = () => {
    if (isDown) throw unavailable
    return {}
  }
  const old = openTab(answer)
  old.send('one', nothing)
  await settle()
  const next = openTab(answer)
  next.adopt(old.release())
  isDown = false
  await seconds(600)
  old.resume()
  await settle()
  expect(old.texts()).toEqual(['one'])
  expect(next.texts()).toEqual(['one'])
})
