import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Download } from './downloads.ts'

/** A spreadsheet takes what begins with one of these signs for a formula. */
const FORMULA = /^[=+\-@\t\r]/

function cell(text: string) {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

/** A file for spreadsheets (RFC 4180, in UTF-8). */
export function csvDownload(filename: string, lines: readonly (readonly string[])[]) {
  // The mark of the byte order, without which Excel reads no Japanese.
  const bytes = Buffer.from(`\uFEFF${lines.map((cells) => cells.map(cell).join(',')).join('\r\n')}\r\n`)
  return new Download({
    bytes: bytes.length,
    etag: createHash('sha256').update(bytes).digest('base64url'),
    contentType: 'text/csv; charset=utf-8',
    filename,
    open: (start, end) => Readable.from([bytes.subarray(start, end + 1)]),
  })
}
