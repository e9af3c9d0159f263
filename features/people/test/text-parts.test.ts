import { expect, test } from 'vitest'
import {
  findTags,
  MAX_MENTIONS,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  mentionedHandles,
  parseTag,
  splitText,
} from '#features/people/text-parts-contract.ts'

test.each([
  ['@aya', [['aya']]],
  ['Hello @Aya, and (@ben).', [['aya'], ['ben']]],
  ['＠ＡＹＡ full width', [['aya']]],
  ['こんにちは@aya 元気？', [['aya']]],
  ['@ayaさんへ', [['ayaさんへ', 'aya']]],
  [
    '@aya_2さん、@田中さん',
    [
      ['aya_2さん', 'aya_2'],
      ['田中さん', '田中'],
    ],
  ],
  ['@さくらちゃん', [['さくらちゃん', 'さくら']]],
  ['@佐藤先生', [['佐藤先生', '佐藤']]],
  ['@ぽち', [['ぽち']]],
  ['@민수 @Žofie @ömer', [['민수'], ['žofie'], ['ömer']]],
  ['@aya @AYA @aya', [['aya']]],
  ['a@b x@y.example @ @@aya @-x', []],
  ['https://site.example/@aya www.site.example/@ben http://x.example/?q=@cleo', []],
  ['mail ann@fish.example or ann@aya', []],
  [`@${'x'.repeat(30)} @${'y'.repeat(31)}`, [['x'.repeat(30)]]],
])('finds the mentions in %j', (text, mentions) => {
  expect(mentionedHandles(text)).toEqual(mentions)
})

test('finds a handle before a long Japanese sentence', () => {
  const [handles] = mentionedHandles(`@ayaさん${'あ'.repeat(900)}`)
  expect(handles).toContain('aya')
})

test.each([
  ['#Garden', ['garden']],
  ['＃花見 と#花見、#お花見２０２６！', ['花見', 'お花見2026']],
  ['#ﾊﾅﾐ #ハナミ', ['ハナミ']],
  ['#café_au_lait (#2026年)', ['café_au_lait', '2026年']],
  ['#スター・ウォーズ #スター･ウォーズ', ['スター・ウォーズ']],
  ['#トロピカル〜ジュ！ #トロピカル～ジュ', ['トロピカル〜ジュ']],
  ['#〇〇 #〇', ['〇〇', '〇']],
  ['#می\u200cخواهم', ['می\u200cخواهم']],
  ['#ga\u200crden #gar\u200dden #צה״ל', ['garden', 'צה״ל']],
  ['#りんご・ #楽しい〜〜 #〜波 #・点', ['りんご', '楽しい']],
  ['a\u200b#one あ\u200b#two\u200b#three \ufeff#four', ['one', 'two', 'three', 'four']],
  ['#123 #１２ #_ C# a#b ##x #', []],
  ['https://a.example/#part www.a.example/#x &#39; /#x', []],
  [`#${'あ'.repeat(MAX_TAG_LENGTH)} #${'い'.repeat(MAX_TAG_LENGTH + 1)}`, ['あ'.repeat(MAX_TAG_LENGTH)]],
])('finds the tags in %j', (text, tags) => expect(findTags(text)).toEqual(tags))

test('finds a limited number of mentions and tags', () => {
  const names = Array.from({ length: 30 }, (_, index) => `name${index}`)
  expect(mentionedHandles(names.map((name) => `@${name}`).join(' '))).toHaveLength(MAX_MENTIONS)
  expect(findTags(names.map((name) => `#${name}`).join(' '))).toHaveLength(MAX_TAGS)
})

test('keeps every letter of the text', () => {
  const text = '＠ayaさん #花見、https://a.example/x, ann@fish.example#no @ben@c #x@y'
  expect(
    splitText(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
})

test('remembers the parts of the last texts, and forgets older ones', () => {
  const parts = splitText('@aya #garden')
  expect(splitText('@aya #garden')).toBe(parts)
  for (let text = 0; text < 11; text++) splitText(`${text}`.padEnd(10_000))
  expect(splitText('@aya #garden')).not.toBe(parts)
})

test.each([
  ['#Ｇａｒｄｅｎ', 'garden'],
  ['花見', '花見'],
  ['スター･ウォーズ', 'スター・ウォーズ'],
  ['a～b', 'a〜b'],
  ['・', null],
  ['a・', null],
  ['a b', null],
  ['12', null],
  ['', null],
  ['x'.repeat(MAX_TAG_LENGTH + 1), null],
])('parses the tag %j', (given, tag) => expect(parseTag(given)).toBe(tag))
