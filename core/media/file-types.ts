import type { FileKind } from './file-schemas.ts'

/**
 * The format of a file, as its first bytes show it. Office files that are zip archives, such as DOCX, have
 * `zip`.
 */
export type FileFormat =
  | 'pdf'
  | 'zip'
  | 'ole'
  | 'rtf'
  | 'text'
  | 'mp3'
  | 'mp4'
  | 'ogg'
  | 'wav'
  | 'flac'
  | 'webm'

interface FileExtension {
  kind: Exclude<FileKind, 'voice'>
  signature: FileFormat
  contentType: string
}
const openXml = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

/**
 * The types of files that are allowed, by the extension of the file's name. The first bytes of a file must
 * fit its extension.
 */
export const fileTypes: Readonly<Record<string, FileExtension>> = {
  pdf: { kind: 'pdf', signature: 'pdf', contentType: 'application/pdf' },
  docx: { kind: 'document', signature: 'zip', contentType: `${openXml}.wordprocessingml.document` },
  xlsx: { kind: 'spreadsheet', signature: 'zip', contentType: `${openXml}.spreadsheetml.sheet` },
  pptx: { kind: 'presentation', signature: 'zip', contentType: `${openXml}.presentationml.presentation` },
  odt: { kind: 'document', signature: 'zip', contentType: `${openDocument}.text` },
  ods: { kind: 'spreadsheet', signature: 'zip', contentType: `${openDocument}.spreadsheet` },
  odp: { kind: 'presentation', signature: 'zip', contentType: `${openDocument}.presentation` },
  doc: { kind: 'document', signature: 'ole', contentType: 'application/msword' },
  xls: { kind: 'spreadsheet', signature: 'ole', contentType: 'application/vnd.ms-excel' },
  ppt: { kind: 'presentation', signature: 'ole', contentType: 'application/vnd.ms-powerpoint' },
  rtf: { kind: 'document', signature: 'rtf', contentType: 'application/rtf' },
  txt: { kind: 'text', signature: 'text', contentType: 'text/plain' },
  md: { kind: 'text', signature: 'text', contentType: 'text/markdown' },
  csv: { kind: 'spreadsheet', signature: 'text', contentType: 'text/csv' },
  tsv: { kind: 'spreadsheet', signature: 'text', contentType: 'text/tab-separated-values' },
  ics: { kind: 'text', signature: 'text', contentType: 'text/calendar' },
  vcf: { kind: 'text', signature: 'text', contentType: 'text/vcard' },
  json: { kind: 'text', signature: 'text', contentType: 'application/json' },
  mp3: { kind: 'audio', signature: 'mp3', contentType: 'audio/mpeg' },
  m4a: { kind: 'audio', signature: 'mp4', contentType: 'audio/mp4' },
  ogg: { kind: 'audio', signature: 'ogg', contentType: 'audio/ogg' },
  oga: { kind: 'audio', signature: 'ogg', contentType: 'audio/ogg' },
  opus: { kind: 'audio', signature: 'ogg', contentType: 'audio/ogg' },
  wav: { kind: 'audio', signature: 'wav', contentType: 'audio/wav' },
  flac: { kind: 'audio', signature: 'flac', contentType: 'audio/flac' },
  weba: { kind: 'audio', signature: 'webm', contentType: 'audio/webm' },
  mp4: { kind: 'video', signature: 'mp4', contentType: 'video/mp4' },
  m4v: { kind: 'video', signature: 'mp4', contentType: 'video/mp4' },
  mov: { kind: 'video', signature: 'mp4', contentType: 'video/quicktime' },
  webm: { kind: 'video', signature: 'webm', contentType: 'video/webm' },
  zip: { kind: 'archive', signature: 'zip', contentType: 'application/zip' },
}

/** Returns the extension of a file's name in lower case; empty if there is none. */
export const extensionOf = (name: string) => /[^.]\.([^.]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? ''

export const kindOf = (name: string) => fileTypes[extensionOf(name)]?.kind

/** Of one file, in MB. The operator may turn off videos, or all files. */
export const maxMbOf = (
  kind: FileKind | undefined,
  { MAX_FILE_MB, MAX_VIDEO_MB }: Record<'MAX_FILE_MB' | 'MAX_VIDEO_MB', number>,
) => (kind === 'video' && MAX_FILE_MB > 0 ? MAX_VIDEO_MB : MAX_FILE_MB)

/** The extensions of the recordings that browsers make, which can be sent as voice messages. */
export const voiceExtensions: readonly string[] = ['weba', 'm4a']
