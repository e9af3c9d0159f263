import { describe, expect, test, vi } from 'vitest'
import { chatText } from '#features/conversations/web/text.ts'
import { createChunks, createSplitter, isSameChunk, listItems } from '../web/chunks.ts'
import type { ShownMessage } from '../web/conversation.ts'

// Replaces web/i18n.ts, because it reads the language from the HTML page, and this test has no page.
vi.mock('#web/i18n.ts', () => ({ defineTexts: <T>(texts: T) => texts }))

const people = {
  ann: { id: 1, name: 'Ann', profile_image: null },
  ben: { id: 2, name: 'Ben', profile_image: null },
}
/** Creates a message that was sent the given number of seconds after 2026-01-01 03:00 UTC. */
const message = (id: number, author: keyof typeof people, seconds: number): ShownMessage => ({
  id,
  client_id: null,
  author: people[author],
  message: `message ${id}`,
  images: [],
  created_at: new Date(Date.UTC(2026, 0, 1, 3, 0, seconds)).toISOString(),
  edited_at: null,
  deleted_at: null,
})
const chunksOf = (messages: ShownMessage[], options: Partial<Parameters<typeof createChunks>[0]> = {}) =>
  createChunks({
    messages,
    split: createSplitter(),
    outgoing: [],
    changes: [],
    me: people.ann,
    unreadAfter: null,
    isComplete: true,
    ...options,
  })
/**
 * Describes the items of a message list for comparison: a group of messages by the ids of its messages,
 * another item by its kind.
 */
const outline = (chunks: ReturnType<typeof chunksOf>) =>
  chunks
    .flatMap((chunk) => listItems(chunk, people.ann))
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

test('the unread divider, a new day and a group change split message groups', () => {
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

test('members whom one person adds within a minute of each other are one line', () => {
  const added = (id: number, actor: keyof typeof people | null, seconds: number) => ({
    id,
    kind: 'added' as const,
    actor: actor && people[actor],
    person: people.ben,
    name: null,
    created_at: message(0, 'ann', seconds).created_at,
  })
  const changes = [
    added(1, 'ann', 1),
    added(2, 'ann', 59),
    added(3, 'ann', 118),
    added(4, 'ann', 178),
    added(5, 'ben', 179),
    { ...added(6, 'ben', 180), kind: 'removed' as const },
    added(7, 'ben', 181),
    added(8, 'ben', 191),
    added(9, null, 192),
    added(10, null, 193),
  ]
  const [chunk] = chunksOf([message(1, 'ann', 0), message(2, 'ann', 185)], { changes })
  const lines = listItems(chunk!, people.ann).flatMap((item) =>
    item.kind === 'change' ? [item.changes.map(({ id }) => id)] : [],
  )
  expect(lines).toEqual([[1, 2, 3], [4], [5], [6], [7], [8], [9], [10]])
})

test.each([
  [['Ben'], false, 'Ann added Ben', 'AnnさんがBenさんを追加しました'],
  [[], true, 'Ann added you', 'Annさんがあなたを追加しました'],
  [['Ben', 'Emi'], false, 'Ann added Ben and Emi', 'AnnさんがBenさん、Emiさんを追加しました'],
  [['Ben'], true, 'Ann added you and Ben', 'Annさんがあなた、Benさんを追加しました'],
  [
    ['Ben', 'Emi', 'Chi', 'Dai', 'Fay'],
    false,
    'Ann added Ben, Emi and 3 others',
    'AnnさんがBenさん、Emiさんほか3人を追加しました',
  ],
])('a line names two of many added members: %j', (others, isUserAdded, en, ja) => {
  expect(chatText.en.added('Ann', others, isUserAdded)).toBe(en)
  expect(chatText.ja.added('Ann', others, isUserAdded)).toBe(ja)
})

describe('chunks of a long list', () => {
  const all = Array.from({ length: 799 }, (_, at) => message(3 * at + 1, 'ann', at))
  const sizesOf = (chunks: ReturnType<typeof chunksOf>) => chunks.map(({ messages }) => messages.length)
  /** Returns the sizes of those chunks in `after` that are not in `before`. */
  const changed = (before: ReturnType<typeof chunksOf>, after: ReturnType<typeof chunksOf>) =>
    sizesOf(after.filter((chunk) => !before.some((one) => isSameChunk(one, chunk))))

  test('groups continue across chunks', () => {
    const chunks = chunksOf(all)
    expect(chunks.length).toBeGreaterThan(3)
    expect(chunks.slice(1).every(({ continuesPrevious }) => continuesPrevious)).toBe(true)
    expect(chunks.slice(0, -1).every(({ continuesInNext }) => continuesInNext)).toBe(true)
  })

  test('messages that are added one by one, at either end, change one chunk or begin the next', () => {
    const split = createSplitter()
    let [from, to] = [400, 500]
    let before = chunksOf(all.slice(from, to), { split })
    while (from > 0 || to < all.length) {
      if (from > 0) from--
      else to++
      const after = chunksOf(all.slice(from, to), { split })
      const sizes = changed(before, after)
      // A new chunk also changes the chunk beside it, whose outer message group then continues in the new
      // chunk.
      expect(sizes.length).toBeLessThanOrEqual(sizes.includes(1) ? 2 : 1)
      expect(after.flatMap(({ messages }) => messages)).toEqual(all.slice(from, to))
      before = after
    }
    expect(Math.max(...sizesOf(before))).toBeLessThanOrEqual(64)
    expect(before.length).toBeLessThanOrEqual(15)
  })

  test('messages that are added together become chunks of their own', () => {
    const split = createSplitter()
    const before = chunksOf(all.slice(300, 500), { split })
    const older = chunksOf(all.slice(40, 500), { split })
    const newer = chunksOf(all.slice(40), { split })
    for (const chunks of [before, older, newer]) expect(Math.max(...sizesOf(chunks))).toBeLessThanOrEqual(128)
    expect(older.slice(-3)).toEqual(before.slice(-3))
    expect(newer.slice(0, older.length - 1)).toEqual(older.slice(0, -1))
  })

  test('a list that shows another part of the chat, and then both parts, keeps the chunks of both', () => {
    const split = createSplitter()
    const newest = chunksOf(all.slice(600), { split })
    const earlier = chunksOf(all.slice(0, 200), { split })
    const both = chunksOf(all, { split })
    for (const chunk of [...newest.slice(1), ...earlier.slice(0, -1)])
      expect(both.some((one) => isSameChunk(one, chunk))).toBe(true)
    expect(Math.max(...sizesOf(both))).toBeLessThanOrEqual(128)
  })
})

test('an unsent message is in the group in which it will be after sending', () => {
  const { created_at: at } = message(0, 'ann', 30)
  const outgoing = [
    { client_id: 'a', text: 'Hello', pictures: [], at, state: 'sending' as const, error: null, progress: 0 },
  ]
  const [chunk] = chunksOf([message(1, 'ann', 0)], { outgoing })
  const items = listItems(chunk!, people.ann)
  expect(items).toHaveLength(2)
  expect(items[1]).toMatchObject({ kind: 'group', messages: [{ id: 1 }], outgoing: [{ client_id: 'a' }] })
})
