import { expect, test } from 'vitest'
import { asEmoji, isSingleEmoji } from './unicode.ts'

test('one emoji is recognised, however many characters it has', () => {
  for (const emoji of ['👍', '👍🏽', '❤️', '☺️', '🇯🇵', '👩‍🚀', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1️⃣', '❤️‍🔥', '🏳️‍🌈'])
    expect(isSingleEmoji(emoji), emoji).toBe(true)
})

test('texts, several emoji and parts of emoji are refused', () => {
  for (const text of [
    '',
    ' ',
    'a',
    '5',
    '5️',
    '❤',
    '👍👍',
    '👍a',
    'a👍',
    '👍 ',
    '\u200D',
    '\uFE0F',
    '🇯',
    '<b>',
  ])
    expect(isSingleEmoji(text), text).toBe(false)
})

test('a symbol that is shown as text gets the variation selector', () => {
  expect(asEmoji('❤')).toBe('❤️')
  for (const text of ['❤️', '👍', 'a', '5', '']) expect(asEmoji(text)).toBe(text)
})
