import { expect, test } from 'vitest'
import { excerpt, splitBlocks, splitBold } from './format.ts'

const shape = (text: string) => splitBlocks(text).map(({ kind, lines }) => [kind, ...lines])

test.each([
  [
    'Bring:\n\n- a cup\n- rice\n\nSee you',
    [
      ['text', 'Bring:'],
      ['list', 'a cup', 'rice'],
      ['text', 'See you'],
    ],
  ],
  [
    '> 明日は晴れ？\n> たぶん\nはい',
    [
      ['quote', '明日は晴れ？', 'たぶん'],
      ['text', 'はい'],
    ],
  ],
  ['- one', [['list', 'one']]],
  ['one\n\ntwo\n', [['text', 'one', '', 'two', '']]],
  ['-5 degrees\n->\n-', [['text', '-5 degrees', '->', '-']]],
  ['', [['text', '']]],
])('lines that begin with a mark are lists and quotes: %j', (text, blocks) => {
  expect(shape(text)).toEqual(blocks)
})

test.each([
  ['plain', ['plain']],
  ['come **on Friday** at 7', ['come ', 'on Friday', ' at 7']],
  ['**明日**、**雨**', ['', '明日', '、', '雨', '']],
  ['2 ** 3 ** 4', ['2 ** 3 ** 4']],
  ['**no\nend**', ['**no\nend**']],
  ['**', ['**']],
  ['a ** b **c**', ['a ** b ', 'c', '']],
  ['****', ['****']],
  ['2**10 is 1024, 2**16', ['2**10 is 1024, 2**16']],
  ['https://x.example/a**b**c', ['https://x.example/a**b**c']],
])('words between two pairs of stars are bold: %j', (text, parts) => {
  expect(splitBold(text)).toEqual(parts)
})

test('the longest text is split in one pass', () => {
  for (const text of ['**'.repeat(5000), '** '.repeat(3333), '- \n'.repeat(3333), '\n'.repeat(10_000)]) {
    expect(splitBold(text).join('').replaceAll('*', '')).toBe(text.replaceAll('*', ''))
    expect(splitBlocks(text).length).toBeLessThanOrEqual(text.length)
  }
})

test.each([
  ['**Bring** a cup, **please**', 100, 'Bring a cup, please'],
  ['- a cup\n- rice\n> 晴れ？\nSee you', 100, '・a cup\n・rice\n晴れ？\nSee you'],
  ['2**10 and **', 100, '2**10 and **'],
  ['**Everybody brings a cup**', 10, 'Everybody…'],
])('an excerpt has no marks: %j', (text, max, shown) => {
  expect(excerpt(text, max)).toBe(shown)
})
