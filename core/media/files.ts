import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { BilingualSentence } from '#core/contract.ts'
import { toSafeFileName } from '#core/file-names.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import type { NonPictureFileKind } from '#core/stored-file-contract.ts'
import {
  allowedNonPictureFileTypesByExtension,
  type FileFormatFromMagicBytes,
  getFileExtension,
} from '#core/stored-file-extensions.ts'

/** The number of bytes at the start of a file that are read to detect its signature. */
const HEAD_BYTES = 4096

/** The metadata of a file that is stored as it was uploaded. */
export interface NonPictureFileMetadata {
  /** The random name of the stored file: 40 hexadecimal digits. */
  name: string
  file_name: string
  file_kind: NonPictureFileKind
  /** The SHA-256 of the content, in hexadecimal. */
  file_hash: string
  bytes: number
  /** The file whose content this one shows; undefined if it has a content of its own. */
  source?: string
}

interface UploadedFileOnDisk {
  field: string
  filename: string
  path: string
  bytes: number
  hash: string
}

/**
 * Returns the metadata of an uploaded file. Throws 422 if its extension is not allowed, if it is empty, or if
 * its first bytes do not fit the extension.
 */
export async function checkNonPictureFileAndReadMetadata({
  field,
  filename,
  path,
  bytes,
  hash,
}: UploadedFileOnDisk) {
  const file_name = toSafeFileName(filename)
  const extension = allowedNonPictureFileTypesByExtension[getFileExtension(file_name)]
  if (!extension) throw createInvalidFieldError(field, messages.kind(file_name))
  if (bytes === 0) throw createInvalidFieldError(field, messages.empty(file_name))
  const head = await readHead(path)
  if (detectSignature(head) !== extension.signature)
    throw createInvalidFieldError(field, messages.content(file_name))
  const name = randomBytes(20).toString('hex')
  return {
    name,
    file_name,
    file_kind: extension.kind,
    file_hash: hash,
    bytes,
  } satisfies NonPictureFileMetadata
}

const messages = {
  kind: (name: string): BilingualSentence => ({
    en: `“${name}” cannot be sent. Documents (PDF, Office, OpenDocument, text), audio files and zip files can.`,
    ja: `「${name}」は送れません。送れるのは、文書（PDF、Office、OpenDocument、テキスト）、音声ファイル、ZIPファイルです。`,
  }),
  empty: (name: string): BilingualSentence => ({
    en: `“${name}” cannot be sent, because it is empty.`,
    ja: `「${name}」は空のファイルなので、送れません。`,
  }),
  content: (name: string): BilingualSentence => ({
    en: `“${name}” cannot be sent, because its content is not what its name says.`,
    ja: `「${name}」の中身がファイル名の拡張子と合わないため、送れません。`,
  }),
}

async function readHead(path: string) {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/**
 * For each signature except `text`, a check of the first bytes. Programs and texts in HTML or SVG pass
 * none of them.
 */
const signatures: readonly (readonly [FileFormatFromMagicBytes, (head: Buffer) => boolean])[] = [
  ['pdf', (head) => hasBytes(head, 0, '%PDF-')],
  ['zip', (head) => hasBytes(head, 0, 'PK\x03\x04') || hasBytes(head, 0, 'PK\x05\x06')],
  ['ole', (head) => hasBytes(head, 0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
  ['rtf', (head) => hasBytes(head, 0, '{\\rtf')],
  ['ogg', (head) => hasBytes(head, 0, 'OggS')],
  ['wav', (head) => hasBytes(head, 0, 'RIFF') && hasBytes(head, 8, 'WAVE')],
  ['flac', (head) => hasBytes(head, 0, 'fLaC')],
  ['webm', (head) => hasBytes(head, 0, '\x1a\x45\xdf\xa3')],
  ['mp4', (head) => hasBytes(head, 4, 'ftyp')],
  ['mp3', (head) => hasBytes(head, 0, 'ID3') || isMpegAudioFrame(head)],
]

const hasBytes = (head: Buffer, start: number, text: string) =>
  head.toString('latin1', start, start + text.length) === text

/**
 * Whether the bytes begin with the header of an MPEG audio frame of layer 3: eleven set bits, and later the
 * bits of the layer.
 */
const isMpegAudioFrame = (head: Buffer) => head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2

/**
 * Returns the signature of a file by its first bytes; null if such a file is not allowed. A text has no zero
 * byte (except in UTF-16 with a byte order mark), and does not begin as a program, HTML, SVG, XML or a
 * script.
 */
function detectSignature(head: Buffer): FileFormatFromMagicBytes | null {
  const found = signatures.find(([, fits]) => fits(head))
  if (found) return found[0]
  const isUtf16 = hasBytes(head, 0, '\xff\xfe') || hasBytes(head, 0, '\xfe\xff')
  const text = isUtf16 ? head.toString('latin1').replaceAll('\0', '') : head.toString('latin1')
  const isBinary = text.includes('\0') || /^(MZ|\x7fELF|\xca\xfe\xba\xbe)/.test(text)
  return isBinary || startsAsMarkup(text) ? null : 'text'
}

/** Whether a text begins as HTML, SVG, XML or a script, after a byte order mark, spaces and comments. */
function startsAsMarkup(text: string) {
  const start = text.replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?(\s|<!--[\s\S]{0,2000}?-->)*/, '')
  return /^(#!|<\?(xml|php)|<!doctype|<(html|head|body|script|svg|iframe|object|embed|style|meta|link|img|a|p|div|table|title|h1|br|b)[\s/>])/i.test(
    start,
  )
}
