import { describe, expect, test } from 'vitest'
import { decodeFile, parseList } from '../web/read-member-list.ts'
import { inShiftJis } from './shift-jis.ts'

const row = (name: string | null, group: string | null = null, handle: string | null = null) => ({
  name,
  reading: null,
  group,
  handle,
})

describe('a list of members', () => {
  test.each([
    ['commas', 'Aya,5b,aya\nBen,5c,ben'],
    ['tabs', 'Aya\t5b\taya\nBen\t5c\tben'],
    ['semicolons and quotes', '"Aya";5b;aya\r\n"Ben";"5c";ben\r\n'],
    ['a header', 'Name,Group,Handle\nAya,5b,aya\nBen,5c,ben'],
    ['a header in another order, and other columns', '番号,ＩＤ,組,氏名\n1,aya,5b,Aya\n2,ben,5c,Ben'],
    ['empty lines', '\n名前,グループ,ハンドル\n\nAya,5b,aya\n , ,\nBen,5c,ben\n\n'],
    ['a byte order mark', '\uFEFF名前,クラス,ハンドル\nAya,5b,aya\nBen,5c,ben'],
  ])('is read with %s', (_, text) => {
    expect(parseList(text)).toEqual([row('Aya', '5b', 'aya'), row('Ben', '5c', 'ben')])
  })

  test('needs only names, and keeps commas and quotes inside quotes', () => {
    expect(parseList('山田太郎\n佐藤花子')).toEqual([row('山田太郎'), row('佐藤花子')])
    expect(parseList('"Sato, Aya ""A""",5b')).toEqual([row('Sato, Aya "A"', '5b')])
    expect(parseList('"Aya\nSato";5b\r"";5c\r;')).toEqual([row('Aya\nSato', '5b'), row(null, '5c')])
    expect(parseList('Aya,"5b')).toEqual([row('Aya', '5b')])
    expect(parseList('')).toEqual([])
  })

  test.each(['ふりがな', 'フリガナ', 'ﾌﾘｶﾞﾅ', 'Reading', 'よみ', '氏名カナ'])(
    'has readings under %s',
    (heading) => {
      expect(parseList(`氏名,${heading},組\n田中花子,タナカ ハナコ,5b\n佐藤,,5b`)).toEqual([
        { ...row('田中花子', '5b'), reading: 'タナカ ハナコ' },
        row('佐藤', '5b'),
      ])
    },
  )

  test('has cells of a bounded length', () => {
    expect(parseList('x'.repeat(1000))[0]!.name).toHaveLength(300)
  })

  const text = '名前,組\n髙橋ソラ,5年B組\n'
  test.each([
    ['UTF-8', new TextEncoder().encode(text)],
    ['UTF-8 with a mark', new TextEncoder().encode(`\uFEFF${text}`)],
    ['UTF-16 with a mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from(text, 'utf16le')],
    ['UTF-16 big endian', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['Shift_JIS', inShiftJis(text)],
  ])('is decoded from %s', (_, bytes) => {
    expect(parseList(decodeFile(bytes))).toEqual([row('髙橋ソラ', '5年B組')])
  })
})
