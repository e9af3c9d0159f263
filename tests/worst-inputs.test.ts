import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { createNameSchema, createRequiredTextSchema, emailSchema } from '#core/contract.ts'
import { toSqlSubstringLikePattern } from '#core/database/database.ts'
import { toSafeFileName } from '#core/file-names.ts'
import { formatContentDisposition } from '#core/http/downloads.ts'
import { removeInvisibleCharacters } from '#core/invisible-characters.ts'
import { foldNameForSearch } from '#core/unicode.ts'
import { parseMemberListIntoNamesGroupsAndHandles } from '#features/admin/web/read-member-list.ts'
import { isOneToThreeEmoji } from '#features/chat/web/emoji.ts'
import { cleanLinkPreviewText } from '#features/link-previews/clean-text.ts'
import { findFirstLinkUrlIfPreviewable } from '#features/link-previews/first-link.ts'
import { findUnfinishedMentionInTextArea } from '#features/mentions/web/unfinished-mention.ts'
import { parseHandle, suggestHandleFromName, toLookalikeNameSkeleton } from '#features/people/handles.ts'
import {
  findTagsInText,
  listPossibleHandlesOfEachMention,
  parseTag,
  splitTextIntoLinksMentionsAndTags,
} from '#features/people/text-parts-contract.ts'
import { createReplyExcerpt } from '#features/replies/excerpt.ts'

const MAX_MS = 10
const TRIES = 8
const TEXT = 10_000
const NAME = 255
/** What a schema reads before it refuses: two units for each character, and 1000 that it removes. */
const GIVEN_NAME = 2 * NAME + 1000

const atCursor = (value: string) =>
  findUnfinishedMentionInTextArea({
    value,
    selectionStart: value.length,
    selectionEnd: value.length,
  } as HTMLTextAreaElement)

/** Each function that reads people's text, and the characters that it gets at most. */
const readers: Record<string, [max: number, read: (text: string) => unknown]> = {
  'a name': [GIVEN_NAME, (text) => v.safeParse(createNameSchema(NAME), text)],
  'an e-mail address': [GIVEN_NAME, (text) => v.safeParse(emailSchema, text)],
  'a text': [TEXT, (text) => v.safeParse(createRequiredTextSchema(TEXT), text)],
  'links, mentions and tags': [TEXT, splitTextIntoLinksMentionsAndTags],
  mentions: [TEXT, listPossibleHandlesOfEachMention],
  'tags in a text': [TEXT, findTagsInText],
  'the first link': [TEXT, (text) => findFirstLinkUrlIfPreviewable(text, 'https://engawa.example')],
  'a tag': [TEXT, parseTag],
  'a handle': [TEXT, parseHandle],
  'the handle for a name': [NAME, suggestHandleFromName],
  'how a name looks': [NAME, toLookalikeNameSkeleton],
  'a search': [NAME, (text) => toSqlSubstringLikePattern(foldNameForSearch(text))],
  'an unfinished mention': [TEXT, atCursor],
  'an excerpt of a reply': [TEXT, createReplyExcerpt],
  'large emoji': [TEXT, isOneToThreeEmoji],
  'invisible characters': [TEXT, removeInvisibleCharacters],
  'the name of a file': [78_000, toSafeFileName],
  'a header with the name of a file': [NAME, formatContentDisposition],
  'the title of a page': [50_000, (text) => cleanLinkPreviewText(text, 160)],
  'the description of a page': [50_000, (text) => cleanLinkPreviewText(text, 300)],
  'the cells of a row of CSV': [TEXT, parseMemberListIntoNamesGroupsAndHandles],
}

/** What one part of a pattern matches again and again. A worst input repeats it before something else. */
const repeated =
  '. ( ) ] [ @ # ＃ - / : = < > , ; \n \t " a _ 1 é あ 漢 ｶ ﷺ 😀 👩\u200d 🏴 1\ufe0f\u20e3 \u0301 \u0301\u0323 \u200b \u200d \u202e \ud800 あ@a @a #a @aあ @ａ a@ a. a@a. あ. www. .www.あ http:// http://a http://あ. https://a:b@ https://a@ ) ) ]) () <!-- 🇯'
    .split(' ')
    .concat(' ', '\u{e0061}', '\u{1f3f4}\u{e0061}', '葛\u{e0100}', 'か\u3099')
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
    const { user, system } = process.threadCpuUsage(start)
    least = Math.min(least, (user + system) / 1000 / runs)
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
