import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { likePattern } from '#core/database/database.ts'
import { contentDisposition } from '#core/http/downloads.ts'
import { emailSchema, nullableReading, requiredText, shortName } from '#core/schemas.ts'
import { foldAddress } from '#core/text/addresses.ts'
import { toSafeFileName } from '#core/text/file-names.ts'
import { foldNameForSearch, foldReading } from '#core/text/fold-names.ts'
import { removeInvisible } from '#core/text/invisible-characters.ts'
import { limitMarks } from '#core/text/marks.ts'
import { cleanReading, isReading, sortKey } from '#core/text/readings.ts'
import { shorten } from '#core/text/shorten.ts'
import { isBlank } from '#core/text/unicode.ts'
import { parseList } from '#features/admin/web/read-member-list.ts'
import { cleanText } from '#features/link-previews/clean-text.ts'
import { findFirstLink } from '#features/link-previews/first-link.ts'
import { findUnfinished } from '#features/mentions/web/unfinished-mention.ts'
import { isEmojiOnly } from '#features/messages/web/emoji.ts'
import { nameSkeleton, parseHandle, suggestHandle } from '#features/people/handles.ts'
import { findTags, mentionedHandles, parseTag, splitText } from '#features/people/text-parts-contract.ts'
import { replyExcerpt } from '#features/replies/read-latest.ts'
import { parse as parseQuery } from '#features/search/query.ts'
import { around, finder } from '#features/search/snippets.ts'
import { split as splitWords } from '#features/search/words.ts'

const MAX_MS = 10
const TRIES = 8
const TEXT = 10_000
const NAME = 255
/** What a schema reads before it refuses: two units for each character, and 1000 that it removes. */
const GIVEN_NAME = 2 * NAME + 1000

const atCursor = (value: string) =>
  findUnfinished({
    value,
    selectionStart: value.length,
    selectionEnd: value.length,
  } as HTMLTextAreaElement)

/** Each function that reads people's text, and the characters that it gets at most. */
const readers: Record<string, [max: number, read: (text: string) => unknown]> = {
  'a name': [GIVEN_NAME, (text) => v.safeParse(shortName(NAME), text)],
  'a reading': [GIVEN_NAME, (text) => v.safeParse(nullableReading(NAME), text)],
  'the letters of a reading': [NAME, (text) => isReading(cleanReading(text))],
  'a search by reading': [NAME, foldReading],
  'the place of a name in a list': [NAME, sortKey],
  'an e-mail address': [GIVEN_NAME, (text) => v.safeParse(emailSchema, text)],
  'a text': [TEXT, (text) => v.safeParse(requiredText(TEXT), text)],
  'links, mentions and tags': [TEXT, splitText],
  mentions: [TEXT, mentionedHandles],
  'tags in a text': [TEXT, findTags],
  'the first link': [TEXT, (text) => findFirstLink(text, 'https://engawa.example')],
  'a tag': [TEXT, parseTag],
  'a handle': [TEXT, parseHandle],
  'the handle for a name': [NAME, suggestHandle],
  'how a name looks': [NAME, nameSkeleton],
  'a search': [NAME, (text) => likePattern(foldNameForSearch(text))],
  'a query': [600, (text) => parseQuery(text, 'UTC')],
  'the words of a text': [TEXT, splitWords],
  'a snippet': [TEXT, (text) => around(text, [finder({ text: 'あa', isExact: true })])],
  'an unfinished mention': [TEXT, atCursor],
  'an excerpt of a reply': [TEXT, replyExcerpt],
  'large emoji': [TEXT, isEmojiOnly],
  'invisible characters': [TEXT, removeInvisible],
  'the beginning of a text': [TEXT, (text) => shorten(text, 160)],
  'the beginning of a long text': [TEXT, (text) => shorten(text, TEXT - 2)],
  'an address': [GIVEN_NAME, foldAddress],
  marks: [TEXT, limitMarks],
  'a blank text': [TEXT, isBlank],
  'the name of a file': [78_000, toSafeFileName],
  'a header with the name of a file': [NAME, contentDisposition],
  'the title of a page': [50_000, (text) => cleanText(text, 160)],
  'the description of a page': [50_000, (text) => cleanText(text, 300)],
  'the cells of a row of CSV': [TEXT, parseList],
}

/** What one part of a pattern matches again and again. A worst input repeats it before something else. */
const repeated =
  '. ( ) ] [ @ # ＃ - / : = < > , ; \n \t " a _ 1 é あ 漢 ｶ ﷺ 😀 👩\u200d 🏴 1\ufe0f\u20e3 \u0301 \u0301\u0323 \u200b \u200d \u202e \ud800 あ@a @a #a @aあ @ａ a@ a. a@a. あ. www. .www.あ http:// http://a http://あ. https://a:b@ https://a@ ) ) ]) () <!-- 🇯'
    .split(' ')
    .concat(
      ' ',
      '\u{e0061}',
      '\u{1f3f4}\u{e0061}',
      '葛\u{e0100}',
      'か\u3099',
      '\u0301\u200d',
      '\u3164',
      'あ・',
      'か-',
      'アー',
      '#a・',
      'a\u200c',
      '[',
      'http://[',
      'あ.ア',
      '→',
    )
const starts = ['', 'http://', 'http://a/', '@', '#', '\u{1f3f4}']
const ends = ['', 'x.pdf', '!']
const inputs = repeated.flatMap((part) =>
  starts.flatMap((start) => ends.map((end) => ({ start, part, end }))),
)
const distinct = Array.from({ length: TEXT - 20 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(
  '',
)

type Input = (typeof inputs)[number]
function fill({ start, part, end }: Input, max: number) {
  const length = max - [...start].length - [...end].length
  return start + part.repeat(length / [...part].length) + end
}

/**
 * Returns the least milliseconds of processor time of a few tries, because the machine may be busy. The clock
 * may tick only each 4 ms, so a try that seems slow is repeated as a mean of five.
 */
function measure(read: (text: string) => unknown, text: string) {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && least > MAX_MS; tries++) {
    const runs = tries ? 5 : 1
    // The parts of a text that was read before are remembered, so each run has a text of its own.
    const texts = Array.from({ length: runs }, (_, run) => {
      const moved = 5 * tries + run
      return text.slice(0, text.length - moved) + text.slice(0, moved)
    })
    const start = process.threadCpuUsage()
    texts.forEach(read)
    // Without the system's: how long it takes to hand out memory depends on the machine's other work.
    const { user } = process.threadCpuUsage(start)
    least = Math.min(least, user / 1000 / runs)
  }
  return least
}

describe.each(Object.entries(readers))('%s', (name, [max, read]) => {
  test('takes less than 10 ms for each worst input', () => {
    const texts = inputs.map((input) => fill(input, max))
    texts.push(`http://a/${'.'.repeat(650)}x${']'.repeat(300)}`, `http://${distinct}.com`, distinct)
    let slowest = { name, took: 0, text: '' }
    for (const text of texts) {
      const took = measure(read, text)
      if (took > slowest.took) slowest = { name, took, text: `${text.slice(0, 20)}…${text.slice(-20)}` }
    }
    expect(slowest.took, JSON.stringify(slowest)).toBeLessThan(MAX_MS)
  })
})
