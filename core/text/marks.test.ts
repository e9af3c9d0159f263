import { expect, test } from 'vitest'
import { limitMarks } from './marks.ts'

test.each([
  ['Vietnamese in parts', 'Tiếng Việt'.normalize('NFD')],
  ['Thai', 'ที่นี่น้ำกั้น ปู่'],
  ['Hebrew with points and accents', 'וַיִּשָּׂ֣א אַבְרָהָ֔ם'],
  ['Devanagari', 'क्षत्रिय श्रृं र्त्स्न्य'],
  ['Burmese', 'လျှော့ မြှောက်'],
  ['Arabic with vowels', 'ٱلرَّحْمَٰنِ'],
  ['Tamil', 'ஸ்ரீ கொள்ளுங்கள்'],
  ['families, flags and keycaps', '👨‍👩‍👧‍👦👩🏽‍❤️‍💋‍👨🏽🏳️‍🌈🇯🇵1️⃣🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
])('%s stays as it is', (_, text) => expect(limitMarks(text)).toBe(text))

test('marks after the fourth on a letter are dropped, in each script', () => {
  for (const mark of ['\u0301', '\u0336', '\u0e49', '\u20dd', '\u05b0'])
    expect(limitMarks(`a${mark.repeat(40)}b`)).toBe(`a${mark.repeat(4)}b`)
})

test('invisible characters between marks make no new letter', () =>
  expect(limitMarks(`a${'\u0301\u200d'.repeat(40)}b`)).toBe(`a${'\u0301\u200d'.repeat(4)}b`))
