import { extensionOf } from '#core/media/file-types.ts'
import { removeInvisible } from './invisible-characters.ts'

/** The longest name of a file, in bytes of UTF-8, on ext4 and APFS. NTFS allows 255 UTF-16 units. */
export const MAX_FILE_NAME_BYTES = 255
/** Only this many UTF-16 units at the end of a given name are read. No file system has longer names. */
const MAX_GIVEN_LENGTH = 1024

/** The names that Windows keeps for devices, with or without an extension (Win32, Naming Files). */
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?=$|[. ])/i
const graphemes = new Intl.Segmenter()

/**
 * Returns a name under which all file systems store the file: the last part of a path, in NFC, without
 * invisible characters (which could hide the true extension), with `_` for forbidden characters and before
 * the name of a device, and cut between two graphemes before its extension.
 */
export function toSafeFileName(given: string) {
  const last = given.slice(-MAX_GIVEN_LENGTH).toWellFormed().split(/[\\/]/).at(-1)!
  const visible = removeInvisible(last.replace(/\s+/g, ' ')).normalize('NFC')
  const name = trimDotsAndSpaces(visible.replace(/[<>:"|?*]/g, '_'))
  return shorten(devices.test(name) ? `_${name}` : name) || 'file'
}

function trimDotsAndSpaces(name: string) {
  let [start, end] = [0, name.length]
  while (start < end && '. '.includes(name[start]!)) start++
  while (start < end && '. '.includes(name[end - 1]!)) end--
  return name.slice(start, end)
}

function shorten(name: string) {
  if (Buffer.byteLength(name) <= MAX_FILE_NAME_BYTES) return name
  const ending = extensionOf(name) && name.slice(name.lastIndexOf('.'))
  const stem = name.slice(0, name.length - ending.length)
  return cut(stem, MAX_FILE_NAME_BYTES - Buffer.byteLength(ending)).trimEnd() + ending
}

/** Cuts a text at `max` bytes: between two graphemes, or between two code points of a huge grapheme. */
function cut(text: string, max: number) {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(max))
  const next = graphemes.segment(text).containing(read)
  return text.slice(0, next?.index || read)
}
