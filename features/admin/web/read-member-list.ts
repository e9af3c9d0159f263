import { parse } from 'papaparse'
import { foldCaseAndWidth } from '#core/unicode.ts'
import { MAX_MEMBER_LIST_CELL_LENGTH, type MemberListImportInputRow } from '#features/cards/list-contract.ts'

// The functions in this file read a list of people that a spreadsheet has saved as text (CSV).

type Column = keyof MemberListImportInputRow

/** The words that name each column in the first row, in the form that `foldCaseAndWidth` returns. */
const headers: Readonly<Record<Column, readonly string[]>> = {
  name: [
    ...['name', 'full name', 'user name', 'display name', '名前', 'お名前', '氏名'],
    ...['生徒名', '児童名', '生徒氏名', '児童氏名'],
  ],
  group: ['group', 'class', 'グループ', 'グループ名', '組', 'クラス', '学級', '年組'],
  handle: ['handle', 'id', 'login', 'login name', 'ハンドル', 'ログインid', 'ユーザーid', 'ログイン名'],
}

/** The index of each column if the first row does not name the columns. */
const defaultColumns: Readonly<Record<Column, number>> = { name: 0, group: 1, handle: 2 }

/**
 * Decodes the file of a spreadsheet: UTF-16 with or without a byte order mark, UTF-8 if it is valid,
 * otherwise Shift_JIS, which Japanese versions of Excel write.
 */
export function decodeMemberListFile(bytes: Uint8Array): string {
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

/**
 * Finds the columns of the list by the headings in its first row, and returns their indexes. Returns null if
 * no cell of the first row is a heading for names: then this row is already the first member.
 */
function findColumns(firstRow: readonly string[]) {
  const words = firstRow.map((cell) => foldCaseAndWidth(cell.slice(0, MAX_MEMBER_LIST_CELL_LENGTH)).trim())
  const placeOf = (column: Column) => words.findIndex((word) => headers[column].includes(word))
  const places = { name: placeOf('name'), group: placeOf('group'), handle: placeOf('handle') }
  return places.name < 0 ? null : places
}

/**
 * Parses a text whose cells are separated by commas, tabs or semicolons, and returns one object with name,
 * group and handle for each row. Cuts cells off after MAX_MEMBER_LIST_CELL_LENGTH characters, because the
 * server refuses longer ones.
 */
export function parseMemberListIntoNamesGroupsAndHandles(text: string): MemberListImportInputRow[] {
  const { data } = parse<string[]>(text, { delimitersToGuess: [',', '\t', ';'], skipEmptyLines: 'greedy' })
  const named = data[0] ? findColumns(data[0]) : null
  const places = named ?? defaultColumns
  const cellOf = (row: readonly string[], column: Column) =>
    (row[places[column]] ?? '').trim().slice(0, MAX_MEMBER_LIST_CELL_LENGTH) || null
  return data.slice(named ? 1 : 0).map((row) => ({
    name: cellOf(row, 'name'),
    group: cellOf(row, 'group'),
    handle: cellOf(row, 'handle'),
  }))
}
