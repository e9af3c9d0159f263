import { parse } from 'papaparse'
import { shorten } from '#core/text/shorten.ts'
import { foldCaseAndWidth } from '#core/text/unicode.ts'
import { type GivenRow, MAX_CELL_LENGTH } from '#features/cards/contract.ts'

// A list that a spreadsheet has saved as text (CSV).

type Column = keyof GivenRow

/** In the form that `foldCaseAndWidth` returns. */
const headers: Readonly<Record<Column, readonly string[]>> = {
  name: [
    ...['name', 'full name', 'user name', 'display name', '名前', 'お名前', '氏名'],
    ...['生徒名', '児童名', '生徒氏名', '児童氏名'],
  ],
  reading: [
    ...['reading', 'kana', 'furigana', 'ふりがな', 'フリガナ', 'よみ', 'よみがな', 'ヨミ', 'ヨミガナ'],
    ...[
      'カナ',
      'かな',
      '読み',
      '読み仮名',
      '氏名カナ',
      '氏名かな',
      '名前カナ',
      '氏名フリガナ',
      '氏名ふりがな',
      '生徒名カナ',
      'セイメイ',
    ],
  ],
  group: ['group', 'class', 'グループ', 'グループ名', '組', 'クラス', '学級', '年組'],
  handle: ['handle', 'id', 'login', 'login name', 'ハンドル', 'ログインid', 'ユーザーid', 'ログイン名'],
}

/** For a first row that does not name the columns. A list without headings has no readings. */
const defaultColumns: Readonly<Record<Column, number>> = { name: 0, group: 1, handle: 2, reading: -1 }

/** UTF-16 with or without byte order mark, UTF-8 if valid, otherwise Shift_JIS (Japanese Excel). */
export function decodeFile(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.subarray(0, 1000).includes(0))
    return new TextDecoder(first ? 'utf-16le' : 'utf-16be').decode(bytes)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('shift_jis').decode(bytes)
  }
}

/** Null if no cell of the first row is a heading for names: then this row is already a member. */
function findColumns(firstRow: readonly string[]) {
  const words = firstRow.map((cell) => foldCaseAndWidth(shorten(cell, MAX_CELL_LENGTH, '')).trim())
  const placeOf = (column: Column) => words.findIndex((word) => headers[column].includes(word))
  const places = {
    name: placeOf('name'),
    reading: placeOf('reading'),
    group: placeOf('group'),
    handle: placeOf('handle'),
  }
  return places.name < 0 ? null : places
}

/** Split at commas, tabs or semicolons. Cells are cut: the server refuses more than the maximum length. */
export function parseList(text: string): GivenRow[] {
  const { data } = parse<string[]>(text, { delimitersToGuess: [',', '\t', ';'], skipEmptyLines: 'greedy' })
  const named = data[0] ? findColumns(data[0]) : null
  const places = named ?? defaultColumns
  const cellOf = (row: readonly string[], column: Column) =>
    shorten((row[places[column]] ?? '').trim(), MAX_CELL_LENGTH, '') || null
  return data.slice(named ? 1 : 0).map((row) => ({
    name: cellOf(row, 'name'),
    reading: cellOf(row, 'reading'),
    group: cellOf(row, 'group'),
    handle: cellOf(row, 'handle'),
  }))
}
