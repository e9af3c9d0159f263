import { expect, test } from 'vitest'
import { MAX_FILE_NAME_BYTES, toSafeFileName } from './file-names.ts'

const family = '👨‍👩‍👧‍👦'

test.each([
  ['Brief (März).pdf', 'Brief (März).pdf'],
  ['C:\\letters\\a.pdf', 'a.pdf'],
  ['../../a<b>:c?.pdf', 'a_b__c_.pdf'],
  [' .. a\t b.pdf . ', 'a b.pdf'],
  ['gpj\u202e.exe', 'gpj.exe'],
  ['...', 'file'],
  ['', 'file'],
  ['がく.txt'.normalize('NFD'), 'がく.txt'],
  ['CON', '_CON'],
  ['nul.pdf', '_nul.pdf'],
  ['Aux.tar.zip', '_Aux.tar.zip'],
  ['com1 .txt', '_com1 .txt'],
  ['LPT9.csv', '_LPT9.csv'],
  ['LPT¹', '_LPT¹'],
  ['console.txt', 'console.txt'],
  ['com10.txt', 'com10.txt'],
  ['\ud800.txt', '\ufffd.txt'],
])('%j becomes %j', (given, name) => expect(toSafeFileName(given)).toBe(name))

test.each([
  ['縁'.repeat(200), '.pdf', '縁'],
  [family.repeat(40), '.docx', family],
  ['🇯🇵'.repeat(100), '.txt', '🇯🇵'],
  [`${'a'.repeat(240)}e${'\u0323\u0331'.repeat(40)}`, '.txt', 'a'],
  ['x'.repeat(300), '', 'x'],
])('%j is cut between graphemes, before its extension', (stem, extension, grapheme) => {
  const name = toSafeFileName(stem + extension)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(MAX_FILE_NAME_BYTES)
  expect(name.endsWith(grapheme + extension)).toBe(true)
  expect(name.slice(0, name.length - extension.length).replaceAll(grapheme, '')).toBe('')
  expect(toSafeFileName(name)).toBe(name)
})

test('one huge grapheme is cut too', () =>
  expect(Buffer.byteLength(toSafeFileName(`e${'\u0323'.repeat(500)}.pdf`))).toBeLessThanOrEqual(
    MAX_FILE_NAME_BYTES,
  ))
