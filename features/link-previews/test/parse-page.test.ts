import { expect, test } from 'vitest'
import { cleanText } from '../clean-text.ts'
import { decodePage } from '../decode-page.ts'
import { parsePage } from '../parse-page.ts'
import { siteHtml } from './sites.ts'

const parse = (head: string, robots?: string) => parsePage(siteHtml(head), robots)

test('Open Graph comes before other names, and the first text of a name counts', () => {
  expect(
    parse(`<title>Title</title><meta name="description" content="Description">
      <meta property="og:title" content="OG &amp; title"><meta property="og:title" content="Second">
      <meta name="og:description" content="OG description"><meta property="og:site_name" content="Site">
      <meta property="og:url" content="javascript:alert(1)"><meta property="og:image" content="http://x/y.png">`),
  ).toEqual({ title: 'OG & title', description: 'OG description', site_name: 'Site' })
  expect(parse('<meta name=twitter:title content=Bird><title>Title</title>')).toMatchObject({ title: 'Bird' })
  expect(parse('<META PROPERTY="og:title" CONTENT=""><TITLE>\n Title </TITLE>')).toMatchObject({
    title: 'Title',
  })
})

test('a page without a title has no preview', () => {
  for (const head of [
    '',
    '<title></title>',
    '<title>\u200b \u202e</title>',
    '<meta name="description" content="x">',
  ])
    expect(parse(head)).toBeNull()
})

test('markup in texts stays text, and the body is not read', () => {
  expect(parse('<title><b>&lt;script&gt;</b></title>')).toMatchObject({ title: '<b><script></b>' })
  expect(parsePage('<head></head><body><title>Late</title>')).toBeNull()
  expect(parsePage('<svg><title>Icon</title></svg><title>Late</title>')).toBeNull()
  expect(
    parsePage('<noscript><img src=x></noscript><script>"<title>No</title>"</script><title>Yes'),
  ).toBeNull()
  expect(
    parsePage('<noscript><img src=x></noscript><script>"<title>No</title>"</script><title>Yes</title>'),
  ).toMatchObject({ title: 'Yes' })
})

test('pages that ask for no snippet get no description', () => {
  const head = '<title>T</title><meta name="description" content="D">'
  expect(parse(head)).toMatchObject({ description: 'D' })
  for (const rules of [
    'nosnippet',
    'noindex, NOSNIPPET',
    'max-snippet:0',
    'googlebot: nosnippet',
    'max-snippet: 0, x',
  ])
    expect(parse(head, rules), rules).toMatchObject({ title: 'T', description: null })
  expect(parse(`${head}<meta name="robots" content="noarchive,nosnippet">`)).toMatchObject({
    description: null,
  })
  for (const rules of ['noindex', 'max-snippet:50', 'max-snippet:-1'])
    expect(parse(head, rules), rules).toMatchObject({ description: 'D' })
})

test('hostile markup costs little time', () => {
  const size = 2 ** 19
  for (const piece of [
    '<a>',
    '<head>',
    '<noscript>',
    '</b>',
    '<meta ',
    '<',
    '&',
    '<title>',
    '<!--',
    '<template></p>',
  ])
    expect(parsePage(piece.repeat(size / piece.length)), piece).toBeNull()
  expect(parsePage(`<title>${'&amp;'.repeat(size / 5)}</title>`)?.title).toMatch(/^&+…$/)
  expect(decodePage(Buffer.from('x'), `text/html; charset=${' '.repeat(16_000)};`)).toBe('x')
  expect(decodePage(Buffer.alloc(size, 0xff), 'text/html; charset=utf-8')).toHaveLength(size)
  expect(decodePage(Buffer.from('<meta '.repeat(size / 6)), 'text/html')).toHaveLength(
    6 * Math.floor(size / 6),
  )
})

test('texts are one line of bounded length without invisible characters', () => {
  expect(cleanText(' a\n\tb\u2028c ', 10)).toBe('a b c')
  expect(cleanText('a\u202egnp.exe\u2066\u200f\u0000\u0007\ufeff', 20)).toBe('agnp.exe')
  expect(cleanText('x'.repeat(30), 10)).toBe(`${'x'.repeat(9)}…`)
  expect(cleanText('👩‍👩‍👧‍👦'.repeat(4), 20)).toBe('👩‍👩‍👧‍👦👩‍👩‍👧‍👦…')
  expect(cleanText(`Z${'\u0301\u0302'.repeat(50)}`, 10)?.length).toBeLessThan(8)
  expect(cleanText('\ud800a', 10)).toBe('\ufffda')
  for (const nothing of [undefined, '', ' \u200b\u202e ']) expect(cleanText(nothing, 10)).toBeNull()
})

test.each([
  ['text/html; charset=Shift_JIS', [0x93, 0xfa, 0x96, 0x7b], '日本'],
  ['text/html; charset="euc-jp"', [0xc6, 0xfc, 0xcb, 0xdc], '日本'],
  ['text/html; charset=nonsense', [...Buffer.from('日本')], '日本'],
  ['text/html', [...Buffer.from('日本')], '日本'],
  ['text/html', [0xe9, 0x20], 'é '],
  ['text/html; charset=utf-8', [0xe9, 0x20], '\ufffd '],
  ['text/html; charset=utf-8', [0xff, 0xfe, 0x2d, 0x4e], '中'],
  ['text/html; charset=iso-8859-1', [0xef, 0xbb, 0xbf, 0xc3, 0xa9], 'é'],
  ['text/html; charset=windows-31j', [0x87, 0x40], '①'],
  ['text/html; charset=x-euc-jp', [0xa4, 0xcb], 'に'],
  ['text/html; charset=iso-2022-jp', [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x1b, 0x28, 0x42], '日本'],
])('a page of the type %j is decoded', (type, bytes, text) => {
  expect(decodePage(Buffer.from(bytes), type)).toBe(text)
})

test('a page names its charset in its head', () => {
  const decode = (charset: string, bytes: readonly number[]) =>
    decodePage(Buffer.concat([Buffer.from(charset), Buffer.from(bytes)]), 'text/html').slice(charset.length)
  const bytes = [0x93, 0xfa, 0x96, 0x7b]
  expect(decode('<meta charset="shift_jis">', bytes)).toBe('日本')
  expect(decode(`<META http-equiv='x' content='text/html; charset=Shift_JIS'>`, bytes)).toBe('日本')
  expect(decode('<meta charset="utf-16">', [...Buffer.from('日本')])).toBe('日本')
  expect(decode('<meta charset="x-nothing">', [...Buffer.from('日本')])).toBe('日本')
})

/** The bytes of the word にほん (in kana) in Shift_JIS and in EUC-JP. */
const kana = { shiftJis: [0x82, 0xc9, 0x82, 0xd9, 0x82, 0xf1], eucJp: [0xa4, 0xcb, 0xa4, 0xdb, 0xa4, 0xf3] }

test.each([
  ['text/html', '', kana.shiftJis, 'にほん'],
  ['text/html', '', kana.eucJp, 'にほん'],
  ['text/html; charset=utf-8', '', kana.eucJp, 'にほん'],
  ['text/html; charset=utf-8', '<meta charset="shift_jis">', kana.shiftJis, 'にほん'],
  ['text/html', '<meta charset="utf-8">', kana.shiftJis, 'にほん'],
  // A page in UTF-8 in which one character lacks its last byte.
  ['text/html', '', [...Buffer.from('にほんのまつり'), 0xe3, 0x81, 0x20], 'にほんのまつり\ufffd '],
  // A page whose end was cut off after `MAX_BYTES`, within a character.
  ['text/html; charset=shift_jis', '', [...kana.shiftJis, 0x82], 'にほん'],
  ['text/html', '', [...Buffer.from('Présentation été', 'latin1')], 'Présentation été'],
])('the text of a page of the type %j with %j is found', (type, head, bytes, text) => {
  expect(decodePage(Buffer.concat([Buffer.from(head), Buffer.from(bytes)]), type)).toBe(head + text)
})
