import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#core/database/database.ts'
import { toSafeFileName } from '#core/file-names.ts'
import {
  FileDownloadResponse,
  formatContentDisposition,
  sendFileDownloadResponse,
} from '#core/http/downloads.ts'
import { httpErrorFactories } from '#core/http/errors.ts'
import type { FolderMediaStorage, S3MediaStorage } from '#core/media/storage.ts'
import { toNonPictureStorageName } from '#core/media/stored-names.ts'
import type { NonPictureFileKind } from '#core/stored-file-contract.ts'
import { allowedNonPictureFileTypesByExtension, getFileExtension } from '#core/stored-file-extensions.ts'

/** Throws unless the client may see the picture or file of this name. Returns the headers of the response. */
export type RequireMediaAccessAndGetHeaders = (
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Readonly<Record<string, string>>>

/**
 * The policies of a response with a file. No page of another site may use the response. If a browser shows
 * the file nevertheless, the file can run no script, send no form and load nothing.
 */
const attachmentHeaders = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}
/**
 * The policies for a PDF that the browser shows. They have no `sandbox`, because Chromium's viewer does not
 * open a sandboxed PDF. The viewer runs outside of the site's origin and ignores the scripts of pages.
 */
const viewerHeaders = {
  'content-security-policy':
    "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
}

/**
 * Serves files that are stored as they were uploaded: at /files/NAME as an attachment, and a PDF also at
 * /files/NAME/view for the browser's own viewer. Answers 404 to clients without access, as for a missing
 * file.
 */
export function serveNonPictureFiles(
  app: FastifyInstance,
  {
    db,
    storage,
    requireAccess,
  }: { db: Db; storage: FolderMediaStorage | S3MediaStorage; requireAccess: RequireMediaAccessAndGetHeaders },
) {
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/:name',
    handler: (request, reply) => send(request, reply, false),
  })
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/:name/view',
    handler: (request, reply) => send(request, reply, true),
  })

  async function send(
    request: FastifyRequest<{ Params: { name: string } }>,
    reply: FastifyReply,
    isShown: boolean,
  ) {
    const { name } = request.params
    if (!/^[0-9a-f]{40}$/.test(name)) throw httpErrorFactories.notFound()
    const access = await requireAccess(name, request, reply)
    const file = await readFileRow(db, name)
    // Responds with 404 at `/view` unless the kind of the file is `pdf`. The upload has checked that the
    // first bytes of such a file are those of a PDF.
    if (!file || (isShown && file.file_kind !== 'pdf')) throw httpErrorFactories.notFound()
    const { file_name, bytes, source } = file
    const filename = toSafeFileName(file_name!)
    const disconnected = new AbortController()
    reply.raw.once('close', () => disconnected.abort())
    const headers = {
      ...access,
      ...(isShown ? viewerHeaders : attachmentHeaders),
      'content-disposition': formatContentDisposition(filename, isShown ? 'inline' : 'attachment'),
      'cross-origin-resource-policy': 'same-origin',
    }
    const open = (start: number, end: number) =>
      openRange(storage, toNonPictureStorageName(source ?? name), start, end, disconnected.signal)
    const contentType = toContentType(filename, file.file_kind)
    const download = new FileDownloadResponse({ bytes, etag: name, contentType, filename, headers, open })
    return sendFileDownloadResponse(request, reply, download)
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

/** Returns the content type of a file. The type of a text has no charset, because its encoding is unknown. */
function toContentType(filename: string, kind: NonPictureFileKind | null) {
  const extension = getFileExtension(filename)
  if (kind === 'voice') return extension === 'm4a' ? 'audio/mp4' : 'audio/webm'
  return allowedNonPictureFileTypesByExtension[extension]?.contentType ?? 'application/octet-stream'
}

async function openRange(
  storage: FolderMediaStorage | S3MediaStorage,
  name: string,
  start: number,
  end: number,
  signal: AbortSignal,
) {
  if (end < start) throw httpErrorFactories.notFound()
  if (storage.folder !== null) return createReadStream(join(storage.folder, name), { start, end })
  const found = await storage.stream(name, { range: `bytes=${start}-${end}`, signal })
  if (!found) throw httpErrorFactories.notFound()
  return found.body
}
