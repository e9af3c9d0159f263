import { expect, test } from 'vitest'
import { isEmojiOnly } from '../web/emoji.ts'

test.each(['👍', '❤️', '👍🏽', '✌🏻', '🤷🏽‍♂️', '👨‍👩‍👧', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇯🇵', '1️⃣', '👍 ❤️ 🇯🇵'])(
  '%s is shown large',
  (text) => {
    expect(isEmojiOnly(text)).toBe(true)
  },
)

// A heart without U+FE0F and the copyright sign are shown as text, and one regional indicator as a letter.
test.each(['', '1', '12:30', '!!!', '👍👍👍👍', '👍 ok', '👍!', '❤', '©', '🇯', '1\uFE0F'])(
  '%j is not',
  (text) => {
    expect(isEmojiOnly(text)).toBe(false)
  },
)
