import { expect, test, vi } from 'vitest'
import { retentionDays } from '#core/community/settings-contract.ts'
import type { ConversationState, ServerMessage } from '../web/conversation.ts'

// The synchronisation of messages runs here without an HTML page: the page data is empty.
vi.hoisted(() => {
  const textContent = JSON.stringify({ app: {}, initialAnswers: [] })
  Object.assign(globalThis, { document: { getElementById: () => ({ textContent }), cookie: '' } })
})
const { createStore } = await import('#web/store.ts')
const { createSync } = await import('../web/sync.ts')

const DAY = 24 * 3600_000
const message = (id: number, daysAgo: number, images: readonly object[] = []) =>
  ({
    id,
    images,
    created_at: new Date(Date.now() - daysAgo * DAY).toISOString(),
  }) as unknown as ServerMessage

/**
 * Opens a conversation with these messages, all of them loaded. `server.rows` are the messages that the
 * simulated server has; a test changes them.
 */
async function openConversation(messages: readonly ServerMessage[]) {
  const server = { rows: messages }
  const state = createStore({
    status: 'loading',
    messages: [],
    olderUrl: null,
  } as unknown as ConversationState)
  const page = vi.fn(async ({ after, limit = 3 }: { after?: number; limit?: number } = {}) => {
    const rows = after === undefined ? server.rows.slice(-limit) : server.rows.filter(({ id }) => id > after)
    return { rows, next: after === undefined && rows.length < server.rows.length ? '/older' : null }
  })
  const { sync } = createSync({
    state,
    requests: { page, initial: () => undefined, info: async () => ({ last_read_id: 99 }) } as never,
    mergeRows: (rows) => {
      const byId = new Map(state.get().messages.map((row) => [row.id, row]))
      for (const row of rows) byId.set(row.id, row as never)
      state.patch({ messages: [...byId.values()].sort((a, b) => a.id - b.id) })
    },
    onLoaded: () => {},
    onInfo: () => {},
    onGap: () => {},
    isShown: () => true,
  })
  await sync()
  // Makes the state that of a reader who has loaded all older messages too.
  state.patch({ messages: messages as never, olderUrl: null })
  page.mockClear()
  return { server, sync, page, ids: () => state.get().messages.map(({ id }) => id), state }
}

test('messages that were removed during an outage leave the page, also their pictures', async () => {
  const picture = { id: 1 }
  const old = [message(1, 400), message(2, 300), message(3, 40, [picture])]
  const recent = [4, 5, 6, 7].map((id) => message(id, 1))
  const { server, sync, ids, state } = await openConversation([...old, ...recent])
  server.rows = [message(3, 40), ...recent]
  await sync()
  expect(ids()).toEqual([3, 4, 5, 6, 7])
  expect(state.get().messages[0]!.images).toEqual([])
  server.rows = recent
  await sync()
  expect(ids()).toEqual([4, 5, 6, 7])
})

test('messages that no community removes yet are not requested again', async () => {
  const days = Math.min(...retentionDays) - 2
  const { sync, page, ids } = await openConversation([1, 2, 3, 4].map((id) => message(id, days)))
  await sync()
  expect(ids()).toEqual([1, 2, 3, 4])
  expect(page.mock.calls).not.toContainEqual([expect.objectContaining({ after: 0 }), null])
})
