import { beforeEach, expect, test, vi } from 'vitest'
import type { Reply } from '../contract.ts'

// The store runs here without an HTML page: the page data is empty.
vi.hoisted(() => {
  const textContent = JSON.stringify({ app: { features: [] }, initialAnswers: [] })
  const document = { getElementById: () => ({ textContent }), cookie: '', addEventListener: () => {} }
  Object.assign(globalThis, { document, addEventListener: () => {}, location: { pathname: '/' } })
  Object.assign(navigator, { onLine: true })
})
const store = await import('../web/reply-store.ts')

const POST = 5
beforeEach(() => store.state.patch({ posts: new Map() }))
const reply = (id: number, body = `reply ${id}`) => ({ id, post_id: POST, body }) as Reply
const shown = () =>
  store.state
    .get()
    .posts.get(POST)
    ?.rows.map(({ body }) => body)

/** Requests the newest replies, of which the server sends `rows`. `meanwhile` runs before the response. */
const loadNewest = (rows: readonly Reply[], meanwhile: () => unknown) =>
  store.load(async () => {
    await Promise.resolve()
    meanwhile()
    store.mergeNewest(POST, { rows: rows.toReversed(), next: null }, 1)
  })

test('a reply that is written during the first request is not lost', async () => {
  await loadNewest([reply(1)], () => store.add(reply(2)))
  expect(shown()).toEqual(['reply 1', 'reply 2'])
})

test('an older response undoes neither an edit nor a deletion', async () => {
  await loadNewest([reply(1), reply(2), reply(3)], () => {
    store.patch(POST, 1, { body: 'edited' })
    store.patch(POST, 1, { body: 'edited again' })
    store.remove(POST, 2)
  })
  expect(shown()).toEqual(['edited again', 'reply 3'])
})

test('a later request repeats no earlier change', async () => {
  await loadNewest([reply(1)], () => store.remove(POST, 1))
  await loadNewest([reply(1)], () => {})
  expect(shown()).toEqual(['reply 1'])
})

test('earlier replies that are deleted during their request do not appear', async () => {
  store.mergeNewest(POST, { rows: [reply(9)], next: '/earlier' }, 1)
  await store.load(async () => {
    await Promise.resolve()
    store.remove(POST, 7)
    store.addEarlier(POST, '/earlier', { rows: [reply(8), reply(7)], next: null })
  })
  expect(shown()).toEqual(['reply 8', 'reply 9'])
})
