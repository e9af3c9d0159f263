/** The HTML standard asks for the first 1024 bytes of a page. */
const CHARSET_SEARCH_BYTES = 4096
/** Characters of the header that are searched for a charset. */
const MAX_CONTENT_TYPE_LENGTH = 200
const byteOrderMarks = [
  { bytes: [0xef, 0xbb, 0xbf], charset: 'utf-8' },
  { bytes: [0xfe, 0xff], charset: 'utf-16be' },
  { bytes: [0xff, 0xfe], charset: 'utf-16le' },
]
const charsetPattern = /charset\s*=\s*(?:["']\s*)?([\w:.-]{1,40})/i
/** In the order of trial: a text in Shift_JIS is hardly ever valid in EUC-JP. */
const JAPANESE_CHARSETS = ['euc-jp', 'shift_jis']

function findCharsetOfMark(body: Buffer) {
  return byteOrderMarks.find(({ bytes }) => bytes.every((byte, index) => body[index] === byte))?.charset
}

/** UTF-8 instead of UTF-16, because a page whose tags are readable as bytes cannot be in UTF-16. */
function findCharsetOfMeta(body: Buffer) {
  const start = body.toString('latin1', 0, CHARSET_SEARCH_BYTES)
  const tags = start.match(/<meta[\s/][^<>]*/gi) ?? []
  const charset = tags.map((tag) => charsetPattern.exec(tag)?.[1]).find(Boolean)
  return charset && /^utf-?16/i.test(charset) ? 'utf-8' : charset
}

/** The body may be cut off within a character. Null if the charset is unknown or absent. */
function decode(body: Buffer, charset: string | undefined, fatal = false) {
  if (!charset) return null
  try {
    return new TextDecoder(charset, { fatal }).decode(body, { stream: true })
  } catch {
    // With `fatal`, also if the body is not valid in the charset.
    return null
  }
}

/** A few wrong bytes beyond ASCII are common: some sites cut a text within a character. */
function isMostlyReadable(text: string) {
  const foreign = text.match(/[^\0-\x7f]/g) ?? []
  return foreign.filter((character) => character === '\ufffd').length <= foreign.length / 5
}

/** The first Japanese charset in which the body is valid and contains kana; null if there is none. */
function decodeAsJapanese(body: Buffer) {
  const texts = JAPANESE_CHARSETS.map((charset) => decode(body, charset, true))
  return texts.find((text) => text && /[\u3041-\u30ff]/.test(text)) ?? null
}

/**
 * In the charset of the byte order mark, of the header Content-Type, of `<meta>`, or UTF-8, in this order.
 * Skips a charset in which the page is unreadable, because servers often name a wrong one, and old Japanese
 * pages often name none. A page that is unreadable in all of them is Japanese if it has kana; otherwise it is
 * in the charset that it names, or in Windows-1252.
 */
export function decodePage(body: Buffer, contentType: string) {
  const mark = decode(body, findCharsetOfMark(body))
  if (mark !== null) return mark
  const header = charsetPattern.exec(contentType.slice(0, MAX_CONTENT_TYPE_LENGTH))?.[1]
  const named = [header, findCharsetOfMeta(body)].flatMap((charset) => decode(body, charset) ?? [])
  return (
    [...named, decode(body, 'utf-8')!].find(isMostlyReadable) ??
    decodeAsJapanese(body) ??
    named[0] ??
    new TextDecoder('windows-1252').decode(body)
  )
}
