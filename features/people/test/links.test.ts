import { expect, test } from 'vitest'
import { splitText } from '#features/people/text-parts-contract.ts'

const linksIn = (text: string) =>
  splitText(text).flatMap((part) => (part.kind === 'address' ? [part.text] : []))

test.each([
  ['an IPv6 address', 'http://[::1]:3000/x', ['http://[::1]:3000/x']],
  ['an IPv6 address in brackets', '(http://[2001:db8::1])', ['http://[2001:db8::1]']],
  ['no IPv6 address', 'http://[:::::] http://[]', []],
  ['a Japanese top-level domain', 'https://例え.テスト', ['https://例え.テスト']],
  ['Japanese after it', 'https://例え.テストを見て', ['https://例え.テスト']],
  ['its path', 'https://例え.テスト/道。', ['https://例え.テスト/道']],
  ['one without a scheme', 'www.例え.みんな', ['www.例え.みんな']],
  ['a Latin name in it', 'https://www.example.みんな', ['https://www.example.みんな']],
  ['a Cyrillic one', 'https://президент.рф/x', ['https://президент.рф/x']],
  ['Japanese after a Latin domain', 'https://example.comを見て', ['https://example.com']],
  ['a host of one label', 'http://localhost:3000/xと', ['http://localhost:3000/xと']],
  ['brackets of the path', '[https://a.example/a[1](b)]', ['https://a.example/a[1](b)']],
  ['a bracket around it', '[https://a.example/]', ['https://a.example/']],
])('%s', (_, text, links) => expect(linksIn(text)).toEqual(links))

test.each([
  '→',
  '⇒',
  '➡️',
  '⬇',
  '🎉',
  '👨‍👩‍👧‍👦',
  '🇯🇵',
  '👍🏽',
  '\u3164',
  '\u200b',
  '\u2800',
  '\ufe0f',
  '\u{e0061}',
])('a link ends before %j', (sign) => {
  for (const link of ['https://a.example', 'https://a.example/x', 'https://a.example/x?y=1'])
    for (const after of ['', 'これ', 'x']) expect(linksIn(`${link}${sign}${after}`)).toEqual([link])
})
