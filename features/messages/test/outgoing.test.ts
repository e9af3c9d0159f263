import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Me } from '#features/people/contract.ts'
import type { GroupChat } from '../contract.ts'
import type { ConversationState, UnsentMessage } from '../web/conversation.ts'

const nothing = { pictures: [], files: [] }

// The outbox and slow mode run here without an HTML page: the page data is empty, and a map is IndexedDB.
vi.hoisted(() => {
  const textContent = JSON.stringify({ app: {}, initialAnswers: [] })
  Object.assign(globalThis, { document: { getElementById: () => ({ textContent }), cookie: '' } })
})
const stored = vi.hoisted(() => new Map<string, unknown>())
vi.mock('idb-keyval', () => ({
  del: async (key: string) => void stored.delete(key),
  entries: async () => [...stored],
  keys: async () => [...stored.keys()],
  set: async (key: string, value: unknown) => void stored.set(key, value),
}))
const connection = vi.hoisted(() => ({ isUnreachable: vi.fn(() => false) }))
vi.mock('#web/connection.ts', () => connection)
vi.mock('#web/lazyWithRetry.ts', () => ({ loadAfterRender: (load: () => unknown) => load() }))
const { ApiError } = await import('#web/api.ts')
const { createStore } = await import('#web/store.ts')
const { openOutbox } = await import('../web/conversation-outbox.ts')
await import('../web/unsent-storage.ts')

const ben = { id: 7, is_admin: false } as Me
const club = { id: 1, members_count: 3, slow_mode_seconds: 60 } as GroupChat
const limit = (retryAfter: number) => new ApiError(429, 'Please wait.', {}, retryAfter)

/** Creates the outbox of a group. Each request that sends a message calls `answer` in place of the server. */
function createOutbox(answer: (message: UnsentMessage) => unknown, group: Partial<GroupChat> = {}, me = ben) {
  const state = createStore({
    info: { ...club, ...group },
    messages: [],
    outgoing: [],
    waitsUntil: 0,
  } as unknown as ConversationState)
  const send = vi.fn(async (message: UnsentMessage, _: unknown, _signal: AbortSignal) => answer(message))
  const outbox = openOutbox({
    conversation: { kind: 'groups', id: 1 },
    me,
    state,
    requests: { send } as never,
    onSent: () => {},
  })
  return {
    outbox,
    send,
    outgoing: () => state.get().outgoing,
    texts: () => send.mock.calls.map(([m]) => m.text),
  }
}
/** Lets all promises settle that wait for no timer. */
const settle = () => vi.advanceTimersByTimeAsync(0)
const logInAs = (id: number) =>
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ id }), { status: 200 }))

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-01-04') })
  vi.stubGlobal('navigator', {})
  stored.clear()
  logInAs(ben.id)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  connection.isUnreachable.mockReturnValue(false)
})

test('a message waits as long as slow mode demands, and is then sent', async () => {
  const { outbox, outgoing, texts } = createOutbox(() => ({}))
  outbox.send('one', nothing)
  outbox.send('two', nothing)
  await settle()
  expect(texts()).toEqual(['one'])
  expect(outgoing()).toMatchObject([{ text: 'two', state: 'sending', isWaiting: true }])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(texts()).toEqual(['one', 'two'])
  expect(outgoing()).toEqual([])
})

test('a waiting message is never sent after its author has logged out', async () => {
  const { outbox, outgoing, texts } = createOutbox(() => ({}))
  outbox.send('one', nothing)
  outbox.send('two', nothing)
  await settle()
  outbox.stop()
  expect(outgoing()).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
  outbox.resume()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(texts()).toEqual(['one'])
})

test('a message that the server makes wait is not sent again after its author has logged out', async () => {
  let refuse = (_: Error) => {}
  const { outbox, send } = createOutbox(() => new Promise((_, reject) => (refuse = reject)))
  outbox.send('one', nothing)
  await settle()
  outbox.stop()
  expect(send.mock.calls[0]![2].aborted).toBe(true)
  refuse(limit(10))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(send).toHaveBeenCalledOnce()
})

test('a waiting message is not sent if another window has logged in as another member', async () => {
  const { outbox, outgoing, texts } = createOutbox((message) => {
    if (message.text === 'two') throw new Error('sent as another member')
    return {}
  })
  vi.stubGlobal('document', { ...document, documentElement: { lang: 'en' } })
  outbox.send('one', nothing)
  outbox.send('two', nothing)
  await settle()
  logInAs(8)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(texts()).toEqual(['one'])
  expect(outgoing()).toMatchObject([{ text: 'two', state: 'failed', error: { status: 401 } }])
})

test('a waiting message that was discarded is not sent, and the next one is', async () => {
  const { outbox, outgoing, texts } = createOutbox(() => ({}))
  for (const text of ['one', 'two', 'three']) outbox.send(text, nothing)
  await settle()
  outbox.discard(outgoing()[0]!.client_id)
  await settle()
  expect(outgoing()).toMatchObject([{ text: 'three', isWaiting: true }])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(texts()).toEqual(['one', 'three'])
})

test('a wait of slow mode is repeated', async () => {
  let refusals = 0
  const { outbox, outgoing, send } = createOutbox(() => {
    if (refusals++ < 2) throw limit(60)
    return {}
  })
  outbox.send('one', nothing)
  await settle()
  expect(outgoing()).toMatchObject([{ state: 'sending', isWaiting: true }])
  await vi.advanceTimersByTimeAsync(120_000)
  expect(send).toHaveBeenCalledTimes(3)
  expect(outgoing()).toEqual([])
})

test.each([
  ['a wait that is longer than slow mode', 61, {}, ben],
  ['a limit in a group without slow mode', 60, { slow_mode_seconds: 0 }, ben],
  ['a limit of the owner of the group', 60, { is_owner: true as const }, ben],
  ['a limit of an admin', 60, {}, { ...ben, is_admin: true }],
])(
  '%s is no slow mode: the message shows the error, and is sent again when the limit ends',
  async (_, wait, group, me) => {
    const error = limit(wait)
    const { outbox, outgoing, send } = createOutbox(
      () => {
        throw error
      },
      group,
      me,
    )
    outbox.send('one', nothing)
    await vi.advanceTimersByTimeAsync(wait * 1000 - 1)
    expect(send).toHaveBeenCalledOnce()
    expect(outgoing()).toMatchObject([{ text: 'one', state: 'failed', error }])
    await vi.advanceTimersByTimeAsync(1)
    expect(send).toHaveBeenCalledTimes(2)
  },
)

test('messages wait in order until the end of an outage, and are then sent once each', async () => {
  let isOnline = false
  connection.isUnreachable.mockReturnValue(true)
  const { outbox, outgoing, texts } = createOutbox(
    () => {
      if (!isOnline) throw new ApiError(0, '')
      return {}
    },
    { slow_mode_seconds: 0 },
  )
  outbox.send('one', nothing)
  outbox.send('two', nothing)
  await settle()
  expect(outgoing()).toMatchObject([
    { text: 'one', state: 'failed', isWaiting: true },
    { text: 'two', state: 'sending', isWaiting: true },
  ])
  await vi.advanceTimersByTimeAsync(600_000)
  expect(texts()).toEqual(['one'])
  isOnline = true
  outbox.resume()
  await settle()
  expect(texts()).toEqual(['one', 'one', 'two'])
  expect(outgoing()).toEqual([])
})

test('a message is sent again by itself after a fault of the server, and not after its author has left', async () => {
  const { outbox, outgoing, texts } = createOutbox(
    () => {
      throw new ApiError(503, '')
    },
    { slow_mode_seconds: 0 },
  )
  outbox.send('one', nothing)
  await vi.advanceTimersByTimeAsync(2000)
  expect(texts()).toEqual(['one', 'one'])
  await vi.advanceTimersByTimeAsync(3999)
  expect(texts()).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(texts()).toHaveLength(3)
  expect(outgoing()).toMatchObject([{ text: 'one', isWaiting: true, error: { status: 503 } }])
  outbox.stop()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(texts()).toHaveLength(3)
})

test('messages of an earlier visit are sent in order; one that is refused keeps its text and says why', async () => {
  const old = (text: string, at: string) =>
    stored.set(`engawa:outbox:7:groups 1:${text}`, {
      ...nothing,
      client_id: text,
      text,
      at,
      state: 'sending',
      error: null,
      progress: 0,
    })
  old('two', '2026-01-03T02:00:00Z')
  old('refused', '2026-01-03T03:00:00Z')
  old('one', '2026-01-03T01:00:00Z')
  const { outbox, outgoing, texts } = createOutbox(
    ({ text }) => {
      if (text === 'refused') throw new ApiError(422, 'Too long.')
      return {}
    },
    { slow_mode_seconds: 0 },
  )
  await outbox.restore()
  outbox.send('three', nothing)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(texts()).toEqual(['one', 'two', 'refused', 'three'])
  expect(outgoing()).toMatchObject([
    { text: 'refused', state: 'failed', isWaiting: false, error: { status: 422 } },
  ])
})
