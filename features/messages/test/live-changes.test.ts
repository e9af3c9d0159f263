import { expect, test, vi } from 'vitest'
import type { Me } from '#features/people/contract.ts'
import type { ConversationState, ServerMessage, ShownMessage } from '../web/conversation.ts'

// The synchronisation of messages runs here without an HTML page: the page data is empty.
vi.hoisted(() => {
  const textContent = JSON.stringify({ app: {}, initialAnswers: [] })
  Object.assign(globalThis, { document: { getElementById: () => ({ textContent }), cookie: '' } })
})
const { createStore } = await import('#web/store.ts')
const { mergeMessages, toShown } = await import('../web/conversation.ts')
const { changeGroupInfo } = await import('../web/info-changes.ts')
const { createSync } = await import('../web/sync.ts')
const { setReadMark } = await import('../web/info-changes.ts')

const me = { id: 1 } as Me
const created_at = new Date().toISOString()
const message = (id: number, text = `message ${id}`) =>
  ({ id, user: { id: 2 }, message: text, images: [], created_at }) as unknown as ServerMessage
const added = (id: number) => ({
  id,
  kind: 'added' as const,
  name: null,
  created_at,
  actor: null,
  person: null,
})

/** Opens a group of two members with the messages 1 to 3. `hold` holds back the next responses. */
async function openGroup() {
  const info = { members_count: 2, name: 'Club', changes: [], reads: [], last_read_id: 9 }
  const state = createStore({
    status: 'loading',
    messages: [],
    olderUrl: null,
  } as unknown as ConversationState)
  let held = Promise.resolve()
  const answer = async <T>(value: T) => {
    await held
    return value
  }
  const rows = [1, 2, 3].map((id) => message(id))
  const sync = createSync({
    state,
    requests: {
      initial: () => undefined,
      info: () => answer(info),
      page: () => answer({ rows, next: null }),
    } as never,
    mergeRows(given) {
      const shown = given.map((row) => toShown(row, me, state.get().info!)) as ShownMessage[]
      state.patch({ messages: mergeMessages(state.get().messages, shown) })
    },
    onLoaded: () => {},
    onInfo: () => {},
    onGap: () => {},
    isShown: () => true,
  })
  await sync.sync()
  return {
    ...{ state, sync, info },
    texts: () => state.get().messages.map(({ message: text }) => text),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
  }
}

test('a response that is older than live messages undoes neither an edit nor hides a new message', async () => {
  const { state, sync, texts, hold } = await openGroup()
  const arrive = (row: ServerMessage) => sync.liveChanges.apply(() => sync.addLive(row))
  for (const status of ['ready', 'loading'] as const) {
    state.patch({ status })
    const release = hold()
    const synced = sync.sync()
    await Promise.resolve()
    arrive(message(2, 'edited'))
    arrive(message(4))
    await vi.waitFor(() => expect(texts()).toContain('edited'))
    release()
    await synced
    await vi.waitFor(() => expect(texts()).toEqual(['message 1', 'edited', 'message 3', 'message 4']))
  }
})

test('a response that is older than a change of the group or a read mark does not undo it', async () => {
  const { state, sync, info, hold } = await openGroup()
  const release = hold()
  const synced = sync.sync()
  await Promise.resolve()
  sync.liveChanges.apply(() => changeGroupInfo(state, added(7), me.id))
  sync.liveChanges.apply(() => setReadMark(state, 2, 3))
  release()
  await synced
  const reads = [{ user_id: 2, last_read_id: 3 }]
  expect(state.get().info).toMatchObject({ members_count: 3, changes: [{ id: 7 }], reads })
  // A response that has the change already has counted the new member too.
  Object.assign(info, { members_count: 3, changes: [added(7)] })
  const again = sync.sync()
  await Promise.resolve()
  sync.liveChanges.apply(() => changeGroupInfo(state, added(7), me.id))
  await again
  expect(state.get().info).toMatchObject({ members_count: 3, changes: [{ id: 7 }] })
})
