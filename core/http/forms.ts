import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { EndpointOptions } from '#core/contract.ts'
import { badBody, fieldError, HttpError, isAborted } from '#core/http/errors.ts'
import { MAX_UPLOAD_BYTES, type Media, type Upload, type Uploader } from '#core/media/media.ts'

type Allowed = NonNullable<EndpointOptions['files']>

const FIELDS_BYTES = 2 ** 20

const mostFiles = (allowed: Allowed) => Object.values(allowed).reduce((sum, field) => sum + field.most, 0)

/** The size of a form: of a chunked one, the limit. Throws 413 where it is over the limit. */
export function formBytes({ headers }: FastifyRequest, allowed: Allowed) {
  const most = mostFiles(allowed)
  const limit = most * MAX_UPLOAD_BYTES + FIELDS_BYTES
  const bytes = Number(headers['content-length'] ?? limit)
  if (bytes > limit) throw tooLarge('The request', most)
  return bytes
}

/**
 * Reads a multipart form (RFC 7578). `images[]` and `images[0]` are `images`; repeated fields are lists. Files
 * stream to DATA_DIR/scratch. Throws 413 for a file over the limit, 422 for too many; no file then stays
 * there.
 */
export async function readForm(request: FastifyRequest, allowed: Allowed, media: Media, uploader: Uploader) {
  const fields: Record<string, unknown> = Object.create(null)
  const files: Upload[] = []
  const most = mostFiles(allowed)
  const limits = { fileSize: MAX_UPLOAD_BYTES, files: most + 16, fields: 64, fieldSize: 65_536, parts: 128 }

  async function receive(name: string, part: MultipartFile) {
    const wanted = Object.hasOwn(allowed, name) ? allowed[name] : undefined
    if (!wanted || count(files, name) > wanted.most) return part.file.resume()
    files.push(await media.receive(name, part.filename ?? '', part.file, uploader))
    if (part.file.truncated) throw tooLarge(part.filename || name, 1)
  }

  try {
    for await (const part of request.parts({ limits })) {
      const name = part.fieldname.replace(/\[\d*\]$/, '')
      if (part.type === 'file') await receive(name, part)
      else if (part.valueTruncated) throw new HttpError(413, fieldTooLarge)
      else if (part.fieldname === name) fields[name] = part.value
      else fields[name] = [fields[name] ?? [], part.value].flat()
    }
    for (const [name, { most }] of Object.entries(allowed))
      if (count(files, name) > most) throw tooMany(name, most)
    // A form whose file input was left empty sends a file without name or content.
    return { fields, files: files.filter((file) => file.filename || file.bytes) }
  } catch (error) {
    await media.discard(files)
    if (isAborted(request)) throw badBody()
    // Errors of the parser have neither a status nor a system code: the form is broken.
    throw 'status' in (error as object) || 'code' in (error as object) ? error : badBody()
  }
}

const fieldTooLarge = {
  en: 'A field of the form is larger than 64 kB.',
  ja: 'フォームの項目が64kBを超えています。',
}

const count = (files: readonly Upload[], field: string) => files.filter((file) => file.field === field).length

const tooLarge = (what: string, files: number) => {
  const limit = `${(files * MAX_UPLOAD_BYTES) / 2 ** 20} MB`
  const name = what.slice(0, 100)
  return new HttpError(413, {
    en: `${name} is larger than ${limit}.`,
    ja: `「${name}」は${limit}を超えています。`,
  })
}

const tooMany = (field: string, most: number) =>
  fieldError(field, {
    en: `The ${field} field must not have more than ${most} files.`,
    ja: `ファイルは${most}個までです。`,
  })
