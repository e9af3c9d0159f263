import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#core/database/database.ts'
import { contentDisposition, Download, sendDownload } from '#core/http/downloads.ts'
import { httpErrors } from '#core/http/errors.ts'
import { showMissingFile } from '#core/http/missing-files.ts'
import type { FolderStorage, S3Storage } from '#core/media/storage.ts'
import * as storedNames from '#core/media/stored-names.ts'
import { toSafeFileName } from '#core/text/file-names.ts'
import type { FileKind } from './file-schemas.ts'
import { extensionOf, fileTypes } from './file-types.ts'

/** Throws unless the client may see the picture or file. Returns the headers of the response. */
export type RequireAccess = (
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Readonly<Record<string, string>>>

/** No page of another site may use the file; if a browser shows it, it can run no script and load nothing. */
const attachmentHeaders = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}
/**
 * The headers of a PDF that the browser shows: without `sandbox`, because Chromium's viewer does not open a
 * sandboxed PDF. It runs outside of the site's origin and ignores the scripts of pages.
 */
const viewerHeaders = {
  'content-security-policy':
    "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
}

interface FileServices {
  db: Db
  storage: FolderStorage | S3Storage
  requireAccess: RequireAccess
  /** Whether the browser's viewer may show the file. */
  mayShow: (name: string) => Promise<boolean>
}

/** /files/NAME is an attachment, /files/NAME/view a PDF in the browser's viewer. 404 without access. */
export function serveFiles(app: FastifyInstance, { db, storage, requireAccess, mayShow }: FileServices) {
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/:name',
    errorHandler: showMissingFile,
    handler: (request, reply) => send(request, reply, false),
  })
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/:name/view',
    errorHandler: showMissingFile,
    handler: (request, reply) => send(request, reply, true),
  })

  async function send(
    request: FastifyRequest<{ Params: { name: string } }>,
    reply: FastifyReply,
    isShown: boolean,
  ) {
    const { name } = request.params
    if (!/^[0-9a-f]{40}$/.test(name)) throw httpErrors.notFound()
    const access = await requireAccess(name, request, reply)
    const file = await readFileRow(db, name)
    // The upload has checked that a file of kind `pdf` begins as a PDF.
    if (!file || (isShown && !(file.file_kind === 'pdf' && (await mayShow(name)))))
      throw httpErrors.notFound()
    const { file_name, bytes, source } = file
    const filename = toSafeFileName(file_name!)
    const disconnected = new AbortController()
    reply.raw.once('close', () => disconnected.abort())
    const headers = {
      ...access,
      ...(isShown ? viewerHeaders : attachmentHeaders),
      'content-disposition': contentDisposition(filename, isShown ? 'inline' : 'attachment'),
      'cross-origin-resource-policy': 'same-origin',
    }
    const open = (start: number, end: number) =>
      openRange(storage, storedNames.ofFile(source ?? name), start, end, disconnected.signal)
    const contentType = toContentType(filename, file.file_kind)
    const download = new Download({ bytes, etag: name, contentType, filename, headers, open })
    return sendDownload(request, reply, download)
  }
}

const readFileRow = (db: Db, name: string) =>
  db
    .selectFrom('media')
    .leftJoin('media_sources', 'media_sources.name', 'media.name')
    .select(['file_name', 'file_kind', 'bytes', 'source'])
    .where('media.name', '=', name)
    .where('file_name', 'is not', null)
    .executeTakeFirst()
    .then((row) => row && { ...row, bytes: Number(row.bytes) })

/** The type of a text has no charset, because its encoding is unknown. */
function toContentType(filename: string, kind: FileKind | null) {
  const extension = extensionOf(filename)
  if (kind === 'voice') return extension === 'm4a' ? 'audio/mp4' : 'audio/webm'
  return fileTypes[extension]?.contentType ?? 'application/octet-stream'
}

async function openRange(
  storage: FolderStorage | S3Storage,
  name: string,
  start: number,
  end: number,
  signal: AbortSignal,
) {
  if (end < start) throw httpErrors.notFound()
  if (storage.folder !== null) return createReadStream(join(storage.folder, name), { start, end })
  const found = await storage.stream(name, { range: `bytes=${start}-${end}`, signal })
  if (!found) throw httpErrors.notFound()
  return found.body
}
