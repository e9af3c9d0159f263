import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Me } from '#features/people/contract.ts'
import type { Group } from '../group-contract.ts'
import type { ConversationState, UnsentMessage } from '../web/conversation.ts'

const nothing = { pictures: [], files: [] }

// The outbox and slow mode run here without an HTML page: the page data is empty, and there is no IndexedDB.
vi.hoisted(() => {
  const textContent = JSON.stringify({ app: {}, initialAnswers: [] })
  Object.assign(globalThis, { document: { getElementById: () => ({ textContent }), cookie: '' } })
})
vi.mock('idb-keyval', () => ({ del: async () => {}, entries: async () => [], set: async () => {} }))
const { ApiError } = await import('#web/api.ts')
const { createStore } = await import('#web/store.ts')
const { createConversationOutbox } = await import('../web/conversation-outbox.ts')

const ben = { id: 7, is_admin: false } as Me
const club = { id: 1, members_count: 3, slow_mode_seconds: 60 } as Group
const limit = (retryAfter: number) => new ApiError(429, 'Please wait.', {}, retryAfter)

/** Creates the outbox of a group. Each request that sends a message calls `answer` in place of the server. */
function createOutbox(answer: (message: UnsentMessage) => unknown, group: Partial<Group> = {}, me = ben) {
  const state = createStore({
    info: { ...club, ...group },
    messages: [],
    outgoing: [],
    waitsUntil: 0,
  } as unknown as ConversationState)
  const send = vi.fn(async (message: UnsentMessage, _: unknown, _signal: AbortSignal) => answer(message))
  const outbox = createConversationOutbox({
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
  vi.useFakeTimers()
  logInAs(ben.id)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
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
])('%s is no slow mode: the message fails with the error of the server', async (_, wait, group, me) => {
  const error = limit(wait)
  const { outbox, outgoing, send } = createOutbox(
    () => {
      throw error
    },
    group,
    me,
  )
  outbox.send('one', nothing)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(send).toHaveBeenCalledOnce()
  expect(outgoing()).toMatchObject([{ text: 'one', state: 'failed', error }])
})
