import { expect, test } from 'vitest'
import { areSameChunk, toChunks, toItems } from '../web/message-chunks.ts'
import type { Message } from '../web/messages.ts'

const people = {
  ann: { id: 1, name: 'Ann', profile_image: null },
  ben: { id: 2, name: 'Ben', profile_image: null },
}
/** A message that was sent so many seconds after the first of January began. */
const message = (id: number, author: keyof typeof people, seconds: number): Message => ({
  id,
  client_id: null,
  author: people[author],
  message: `message ${id}`,
  images: [],
  created_at: new Date(Date.UTC(2026, 0, 1, 3, 0, seconds)).toISOString(),
  edited_at: null,
  deleted_at: null,
})
const chunksOf = (messages: Message[], options: Partial<Parameters<typeof toChunks>[0]> = {}) =>
  toChunks({
    messages,
    outgoing: [],
    changes: [],
    me: people.ann,
    unreadAfter: null,
    isComplete: true,
    ...options,
  })
/** Each item by its kind; a group by the ids of its messages. */
const outline = (chunks: ReturnType<typeof chunksOf>) =>
  chunks
    .flatMap((chunk) => toItems(chunk, people.ann))
    .map((item) => (item.kind === 'group' ? item.messages.map(({ id }) => id) : item.kind))

test('messages of one author within five minutes are one group', () => {
  const messages = [
    message(1, 'ann', 0),
    message(2, 'ann', 299),
    message(3, 'ann', 599),
    message(4, 'ben', 600),
    message(5, 'ann', 601),
  ]
  expect(outline(chunksOf(messages))).toEqual(['day', [1, 2], [3], [4], [5]])
})

test('the divider, a new day and a change of the group part the messages', () => {
  const day = 24 * 3600
  const changes = [
    {
      id: 1,
      kind: 'added' as const,
      actor: null,
      person: null,
      name: null,
      created_at: message(0, 'ann', 15).created_at,
    },
  ]
  const messages = [
    message(1, 'ben', 0),
    message(2, 'ben', 10),
    message(3, 'ben', 20),
    message(4, 'ben', day),
  ]
  expect(outline(chunksOf(messages, { changes, unreadAfter: 1 }))).toEqual([
    'day',
    [1],
    'unread',
    [2],
    'change',
    [3],
    'day',
    [4],
  ])
})

test('a new message changes the last chunk only, an older one the first only, and groups go on across chunks', () => {
  const all = Array.from({ length: 399 }, (_, at) => message(at + 1, 'ann', at))
  const before = chunksOf(all.slice(100, 398))
  const changedBy = (after: typeof before) =>
    after
      .filter((chunk) => !before.some((one) => areSameChunk(one, chunk)))
      .map(({ messages }) => messages.length)
  expect(before.length).toBeGreaterThan(3)
  expect(changedBy(chunksOf(all.slice(100)))).toHaveLength(1)
  expect(changedBy(chunksOf(all.slice(99, 398)))).toHaveLength(1)
  expect(before.slice(1).every(({ continuesPrevious }) => continuesPrevious)).toBe(true)
  expect(before.slice(0, -1).every(({ continuesInNext }) => continuesInNext)).toBe(true)
})

test('a message that is being sent stands in the group in which it will stand', () => {
  const { created_at: at } = message(0, 'ann', 30)
  const outgoing = [
    { client_id: 'a', text: 'Hello', pictures: [], at, state: 'sending' as const, error: null, sent: 0 },
  ]
  const [chunk] = chunksOf([message(1, 'ann', 0)], { outgoing })
  const items = toItems(chunk!, people.ann)
  expect(items).toHaveLength(2)
  expect(items[1]).toMatchObject({ kind: 'group', messages: [{ id: 1 }], outgoing: [{ client_id: 'a' }] })
})
