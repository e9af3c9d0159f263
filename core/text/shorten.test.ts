import { expect, test } from 'vitest'
import { shorten } from './shorten.ts'

test('a text that fits stays as it is', () => {
  for (const text of ['', 'abc', '👍👍👍', 'か\u3099a']) expect(shorten(text, 3)).toBe(text)
})

test('a longer one ends with an ellipsis, which counts', () => {
  expect(shorten('abcd', 3)).toBe('ab…')
  expect(shorten('ab cd', 4)).toBe('ab…')
  expect(shorten('abcd', 3, '')).toBe('abc')
})

test.each([
  ['a pair of surrogates', '👍'],
  ['a family', '👨‍👩‍👧‍👦'],
  ['a flag', '🇯🇵'],
  ['the flag of a region', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['a colour of skin', '👍🏽'],
  ['a keycap', '1️⃣'],
  ['a combining mark', 'か\u3099'],
  ['a variant of a Chinese character', '葛\u{e0100}'],
  ['Hangul in parts', '\u1112\u1161\u11ab'],
])('%s is kept or left out as a whole', (_, grapheme) => {
  for (let max = 2; max < 20; max++) {
    const text = shorten(`x${grapheme.repeat(20)}`, max)
    expect(text.endsWith('…')).toBe(true)
    expect([...text].length).toBeLessThanOrEqual(max)
    expect(text.slice(1, -1).replaceAll(grapheme, ''), `${max}`).toBe('')
  }
})

test('a grapheme that is longer than the whole is cut between its code points', () => {
  expect(shorten(`a${'\u0301'.repeat(50)}`, 5)).toBe(`a${'\u0301'.repeat(3)}…`)
  expect(shorten(`😀${'\u{e0061}'.repeat(50)}`, 3)).toBe('😀\u{e0061}…')
})

test('one code point more than the length is enough to cut where the whole text is cut', () => {
  const text = 'か\u3099👨‍👩‍👧‍👦🇯🇵e\u0301 '.repeat(20)
  for (let max = 1; max < 60; max++)
    expect(shorten([...text].slice(0, max + 1).join(''), max)).toBe(shorten(text, max))
})
