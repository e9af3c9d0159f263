import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Sentence } from '#core/contract.ts'
import { fieldError } from '#core/http/errors.ts'
import { toSafeFileName } from '#core/text/file-names.ts'
import type { FileKind } from './file-schemas.ts'
import { extensionOf, type FileFormat, fileTypes } from './file-types.ts'
import { durationOf } from './mp4.ts'

/** Bytes read to detect the signature. */
const HEAD_BYTES = 4096

export interface StoredFile {
  /** Random: 40 hexadecimal digits. */
  name: string
  file_name: string
  file_kind: FileKind
  /** SHA-256 of the content, in hexadecimal. */
  file_hash: string
  /** In ms, of a video that says it. */
  duration?: number | null
  bytes: number
  /** Undefined if the file has a content of its own. */
  source?: string
}

interface UploadedFileOnDisk {
  field: string
  filename: string
  path: string
  bytes: number
  hash: string
}

/** Throws 422 if the extension is not allowed, the file is empty, or its first bytes do not fit. */
export async function checkFile({ field, filename, path, bytes, hash }: UploadedFileOnDisk) {
  const file_name = toSafeFileName(filename)
  const extension = fileTypes[extensionOf(file_name)]
  if (!extension) throw fieldError(field, messages.kind(file_name))
  if (bytes === 0) throw fieldError(field, messages.empty(file_name))
  const head = await readHead(path)
  if (detectSignature(head) !== extension.signature) throw fieldError(field, messages.content(file_name))
  const name = randomBytes(20).toString('hex')
  return {
    name,
    file_name,
    file_kind: extension.kind,
    file_hash: hash,
    duration: extension.kind === 'video' && extension.signature === 'mp4' ? await durationOf(path) : null,
    bytes,
  } satisfies StoredFile
}

const messages = {
  kind: (name: string): Sentence => ({
    en: `“${name}” cannot be sent. Documents (PDF, Office, OpenDocument, text), videos, audio files and zip files can.`,
    ja: `「${name}」は送れません。送れるのは、文書（PDF、Office、OpenDocument、テキスト）、動画、音声ファイル、ZIPファイルです。`,
  }),
  empty: (name: string): Sentence => ({
    en: `“${name}” cannot be sent, because it is empty.`,
    ja: `「${name}」は空のファイルなので、送れません。`,
  }),
  content: (name: string): Sentence => ({
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

/** Programs and texts in HTML or SVG pass none of these. */
const signatures: readonly (readonly [FileFormat, (head: Buffer) => boolean])[] = [
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

/** MPEG audio of layer 3: eleven set bits, and later the bits of the layer. */
const isMpegAudioFrame = (head: Buffer) => head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2

/**
 * Null if such a file is not allowed. A text has no zero byte (except in UTF-16 with a byte order mark), and
 * does not begin as a program, HTML, SVG, XML or a script.
 */
function detectSignature(head: Buffer): FileFormat | null {
  const found = signatures.find(([, fits]) => fits(head))
  if (found) return found[0]
  const isUtf16 = hasBytes(head, 0, '\xff\xfe') || hasBytes(head, 0, '\xfe\xff')
  const text = isUtf16 ? head.toString('latin1').replaceAll('\0', '') : head.toString('latin1')
  const isBinary = text.includes('\0') || /^(MZ|\x7fELF|\xca\xfe\xba\xbe)/.test(text)
  return isBinary || startsAsMarkup(text) ? null : 'text'
}

/** As HTML, SVG, XML or a script, after a byte order mark, spaces and comments. */
function startsAsMarkup(text: string) {
  const start = text.replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?(\s|<!--[\s\S]{0,2000}?-->)*/, '')
  return /^(#!|<\?(xml|php)|<!doctype|<(html|head|body|script|svg|iframe|object|embed|style|meta|link|img|a|p|div|table|title|h1|br|b)[\s/>])/i.test(
    start,
  )
}
