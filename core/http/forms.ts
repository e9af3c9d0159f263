import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { SettingsStore } from '#core/community/settings.ts'
import type { Config } from '#core/config.ts'
import { fieldError, HttpError, isBodyAborted, malformedBody } from '#core/http/errors.ts'
import { kindOf, maxMbOf } from '#core/media/file-types.ts'
import { MEGABYTE, type MediaService, type UploadedFile, type Uploader } from '#core/media/media.ts'
import type { EndpointOptions } from '#core/schemas.ts'
import { toSafeFileName } from '#core/text/file-names.ts'

type Allowed = NonNullable<EndpointOptions['files']>

const FIELDS_BYTES = 2 ** 20
/** The names and the type of a part are in its headers. What is longer is cut before it is read. */
const PART_HEADERS_BYTES = 4096

const maxFilesOf = (allowed: Allowed) => Object.values(allowed).reduce((sum, field) => sum + field.max, 0)

/**
 * The maximum sizes of one file, in MB: of a file that becomes a picture, of one that is stored as it is, of a
 * video among these, and of a picture that the client has drawn of such a file.
 */
export interface MaxSizes {
  picture: number
  file: number
  video: number
  preview: number
}

export const maxSizes = (config: Config, settings: SettingsStore): MaxSizes => ({
  picture: settings.current().max_picture_mb,
  file: config.MAX_FILE_MB,
  video: maxMbOf('video', config),
  preview: 1,
})

const typeOf = ({ type }: Allowed[string]): UploadedFile['type'] => type ?? 'picture'

/** Of one file of the field. */
const largestMb = (field: Allowed[string], { file, video, ...maxMb }: MaxSizes) => {
  const type = typeOf(field)
  return type === 'file' ? Math.max(file, video) : maxMb[type]
}

/** One of the files may be a video of the maximum size. */
const sumMaxMb = (allowed: Allowed, maxMb: MaxSizes) =>
  Object.values(allowed).reduce(
    (sum, field) => sum + (field.max - 1) * maxMb[typeOf(field)] + largestMb(field, maxMb),
    0,
  )

/**
 * Returns the size of a form (`bytes`) and its maximum size (`limit`), in bytes. For a chunked form, whose
 * size is unknown, both are the maximum. Throws 413 if the form is larger than the maximum:
 * `maxFileMb` MB for each file of the allowed number, one of them a video, and 1 MB for the other fields.
 */
export function requireFormSize({ headers }: FastifyRequest, allowed: Allowed, maxFileMb: MaxSizes) {
  const maxMb = sumMaxMb(allowed, maxFileMb)
  const limit = maxMb * MEGABYTE + FIELDS_BYTES
  const bytes = Number(headers['content-length'] ?? limit)
  if (bytes > limit) throw tooLarge('The request', maxMb)
  return { bytes, limit }
}

/**
 * Reads a multipart form (RFC 7578). The names `images[]` and `images[0]` mean `images`, and text fields with
 * such names become lists. Files of the fields in `allowed` are written to DATA_DIR/scratch; other files are
 * ignored. After an error the written files are deleted. Throws 413 for a file over `maxFileMb` MB, a
 * field over 64 kB or too many parts, and 422 for too many files.
 */
export async function readForm(
  request: FastifyRequest,
  allowed: Allowed,
  media: MediaService,
  uploader: Uploader,
  maxFileMb: MaxSizes,
) {
  const fields: Record<string, unknown> = Object.create(null)
  const files: UploadedFile[] = []
  const maxFiles = maxFilesOf(allowed)
  const limits = {
    fileSize: Math.max(...Object.values(allowed).map((field) => largestMb(field, maxFileMb))) * MEGABYTE,
    files: maxFiles + 16,
    fields: 64,
    fieldSize: 65_536,
    parts: 128,
    headerSize: PART_HEADERS_BYTES,
  }

  async function receive(name: string, part: MultipartFile) {
    const wanted = Object.hasOwn(allowed, name) ? allowed[name] : undefined
    if (!wanted || count(files, name) > wanted.max) return part.file.resume()
    const type = typeOf(wanted)
    const filename = part.filename ? toSafeFileName(part.filename) : ''
    const maxMb = maxFileMb[type === 'file' && kindOf(filename) === 'video' ? 'video' : type]
    const given = { field: name, filename, type, maxBytes: maxMb * MEGABYTE }
    const received = await media.receive(given, part.file, uploader)
    files.push(received)
    if (received.isTooLarge || part.file.truncated) throw tooLarge(filename || name, maxMb)
  }

  try {
    for await (const part of request.parts({ limits })) {
      const name = part.fieldname.replace(/\[\d*\]$/, '')
      if (part.type === 'file') await receive(name, part)
      else if (part.valueTruncated) throw new HttpError(413, fieldTooLarge)
      else if (part.fieldname === name) fields[name] = part.value
      else fields[name] = [fields[name] ?? [], part.value].flat()
    }
    for (const [name, { max }] of Object.entries(allowed))
      if (count(files, name) > max) throw tooMany(name, max)
    // If a file input was left empty, the form has a file without name or content, which is left out.
    return { fields, files: files.filter((file) => file.filename || file.bytes) }
  } catch (error) {
    await media.discard(files)
    if (isBodyAborted(request)) throw malformedBody()
    // Errors of the parser have neither a status nor a system code. They mean that the form is broken.
    throw 'status' in (error as object) || 'code' in (error as object) ? error : malformedBody()
  }
}

const fieldTooLarge = {
  en: 'A field of the form is larger than 64 kB.',
  ja: 'フォームの項目が64kBを超えています。',
}

const count = (files: readonly UploadedFile[], field: string) =>
  files.filter((file) => file.field === field).length

const tooLarge = (name: string, maxMb: number) => {
  const limit = `${maxMb} MB`
  return new HttpError(413, {
    en: `${name} is larger than ${limit}.`,
    ja: `「${name}」は${limit}を超えています。`,
  })
}

const tooMany = (field: string, maxFiles: number) =>
  fieldError(field, {
    en: `The ${field} field must not have more than ${maxFiles} files.`,
    ja: `ファイルは${maxFiles}個までです。`,
  })
