import { expect, test, vi } from 'vitest'
import { mergeMessages, type ShownMessage } from '../web/conversation.ts'

// Replaces browser modules that need an HTML page, because this test has none.
vi.mock('#web/api.ts', () => ({}))
vi.mock('#web/page-data.ts', () => ({}))

const message = (id: number, text = `message ${id}`) => ({ id, message: text }) as ShownMessage
const merge = (before: readonly number[], changed: readonly ShownMessage[]) =>
  mergeMessages(
    before.map((id) => message(id)),
    changed,
  ).map(({ id, message: text }) => `${id} ${text}`)

test.each([
  ['older', [3, 4], [1, 2], ['1 b', '2 b', '3 message 3', '4 message 4']],
  ['older, in another order and twice', [3], [2, 1, 2], ['1 b', '2 b', '3 message 3']],
  ['newer', [1, 2], [4, 3], ['1 message 1', '2 message 2', '3 b', '4 b']],
  ['older and newer', [2], [3, 1], ['1 b', '2 message 2', '3 b']],
  ['changed', [1, 2, 3], [2], ['1 message 1', '2 b', '3 message 3']],
  ['the first', [], [2, 1], ['1 b', '2 b']],
  ['no', [1, 2], [], ['1 message 1', '2 message 2']],
])('%s messages get their place', (_, before, changed, expected) => {
  expect(
    merge(
      before,
      changed.map((id) => message(id, 'b')),
    ),
  ).toEqual(expected)
})

test('the last of several versions counts, also if the list has it already', () => {
  const before = [message(1), message(2, 'deleted')]
  const after = mergeMessages(before, [message(2, 'edited'), message(2, 'deleted')])
  expect(after).toBe(before)
  const others = mergeMessages(before, [message(2, 'deleted'), message(2, 'edited')])
  expect(others.map(({ message: text }) => text)).toEqual(['message 1', 'edited'])
})

test('messages that are the same stay the same objects, so that they are not rendered again', () => {
  const before = [message(1), message(2)]
  expect(mergeMessages(before, [message(1), message(2)])).toBe(before)
  const after = mergeMessages(before, [message(1), message(2, 'b'), message(3)])
  expect(after.map(({ message: text }) => text)).toEqual(['message 1', 'b', 'message 3'])
  expect(after[0]).toBe(before[0])
})
