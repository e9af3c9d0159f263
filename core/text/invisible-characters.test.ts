import { expect, test } from 'vitest'
import { removeInvisible } from './invisible-characters.ts'

const points = (...codes: number[]) => String.fromCodePoint(...codes)

test.each([
  'Ann Smith',
  '山田 花子',
  '👨‍👩‍👧‍👦',
  '🏳️‍🌈',
  '👩🏽‍🚀',
  '❤️‍🔥',
  '1️⃣',
  '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  '🇯🇵',
  `葛${points(0xe0100)}城`,
  'می‌خواهم',
  'क्‍ष',
  'Ö̲',
])('%s stays as it is', (text) => expect(removeInvisible(text)).toBe(text))

test.each<[string, number]>([
  ['a zero-width space', 0x200b],
  ['a joiner between letters', 0x200d],
  ['a non-joiner between letters', 0x200c],
  ['a direction override', 0x202e],
  ['an isolate', 0x2067],
  ['a direction mark', 0x200f],
  ['a soft hyphen', 0xad],
  ['a byte order mark', 0xfeff],
  ['a word joiner', 0x2060],
  ['a Hangul filler', 0x3164],
  ['a Braille blank', 0x2800],
  ['a grapheme joiner', 0x34f],
  ['a variation selector', 0xfe0f],
  ['a supplementary variation selector', 0xe0101],
  ['a tag', 0xe0041],
  ['a control', 0x1b],
  ['a C1 control', 0x85],
  ['a private character', 0xe000],
  ['no character', 0xffff],
])('%s is removed', (_, code) => {
  expect(removeInvisible(`An${points(code)}n`)).toBe('Ann')
  expect(removeInvisible(points(code))).toBe('')
})

test('only the letters of a region are kept after a flag', () => {
  const flag = points(0x1f3f4)
  expect(removeInvisible(flag + points(...Array(9999).fill(0xe0061)))).toBe(flag)
})
