import { expect, test } from 'vitest'
import { foldReading } from './fold-names.ts'
import { cleanReading, isReading, sortKey } from './readings.ts'

test('kana of all kinds become hiragana, and a dash behind them a long vowel', () => {
  for (const [given, stored] of [
    ['たなか　はなこ', 'たなか はなこ'],
    ['タナカ ハナコ', 'たなか はなこ'],
    ['ﾊﾞﾝﾄﾞｳ  ﾊﾟﾒﾗ', 'ばんどう ぱめら'],
    ['か\u3099く', 'がく'],
    ['ヴァイオレット・ヱ', 'ゔぁいおれっと・ゑ'],
    ['マリー', 'まりー'],
    ['マリ－', 'まりー'],
    ['マリ―', 'まりー'],
    ['たな\u200Bか', 'たなか'],
    ['Ｔａｎａｋａ Hana-ko', 'Tanaka Hana-ko'],
    ['O’Brien', 'O’Brien'],
    ['Jo\u0302', 'Jô'],
  ] as const) {
    expect(cleanReading(given), given).toBe(stored)
    expect(isReading(stored), stored).toBe(true)
  }
})

test('Chinese characters, other scripts, digits and signs alone are no reading', () => {
  for (const given of [
    '田中',
    'たなか 花子',
    '다나카',
    'Танака',
    'たなか2',
    '🌸',
    'ー',
    '・',
    '-',
    '<b>',
    'た\u3042\n漢',
  ])
    expect(isReading(cleanReading(given)), given).toBe(false)
})

test('a search ignores spaces, case, width and accents', () => {
  expect(foldReading('たなか はなこ')).toBe('たなかはなこ')
  expect(foldReading('ＪＯＳÉ')).toBe('jose')
})

test('names are in the order of 五十音: first the letters, then their voicing and size', () => {
  const ordered = [
    'Ann',
    'Zoë',
    'あおき',
    'おー',
    'おおた',
    'かた',
    'がた',
    'かとう',
    'がとう',
    'きゃらめる',
    'きやり',
    'たなか あや',
    'たなか いお',
    'たなかい あや',
    'はし',
    'ばし',
    'ぱし',
    'ﾜﾀﾅﾍﾞ',
    '漢字',
    '🌸',
  ]
  const byCodePoint = (a: string, b: string) =>
    Buffer.compare(Buffer.from(sortKey(a)), Buffer.from(sortKey(b)))
  expect(ordered.toReversed().toSorted(byCodePoint)).toEqual(ordered)
})

test('the key of the longest name fits an index', () => {
  for (const letter of ['ﷺ', 'が', '𠮷', '㍿'])
    expect(Buffer.byteLength(sortKey(letter.repeat(255)))).toBeLessThan(1000)
})
