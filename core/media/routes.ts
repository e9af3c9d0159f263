import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SettingsStore } from '#core/community/settings.ts'
import type { Db } from '#core/database/database.ts'
import { httpErrors } from '#core/http/errors.ts'
import { dropDocumentHeaders } from '#core/http/headers.ts'
import { showMissingFile } from '#core/http/missing-files.ts'
import { serveFiles } from '#core/media/file-routes.ts'
import type { MediaAccess } from '#core/media/guards.ts'
import type { FolderStorage, S3File, S3Storage } from '#core/media/storage.ts'

const YEAR = 365 * 24 * 3600
export const IMMUTABLE = `public, max-age=${YEAR}, immutable`
/** For public pictures. The content never changes, and pages of other origins may show it. */
const publicHeaders = {
  'cache-control': IMMUTABLE,
  'cross-origin-resource-policy': 'cross-origin',
}
/**
 * For guarded files, and all in a members-only community. Only the browser may store them, and it asks before
 * each use, because the member may have lost access. Requests of other sites carry no session cookie.
 */
const guardedHeaders = {
  'cache-control': 'private, no-cache',
  'cross-origin-resource-policy': 'same-site',
  vary: 'Cookie',
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if the request is not for the file of a picture. */
    mediaHeaders: Readonly<Record<string, string>> | null
  }
}

const fileNames = /^([0-9a-f]{40})(-\d{1,5}\.webp)$/
type SendFile = (name: string, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

interface MediaServices {
  db: Db
  storage: FolderStorage | S3Storage
  access: MediaAccess
  settings: SettingsStore
  openSession: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

/** All of a members-only community needs a session, and so do most guards. 404 without access. */
export async function serveMedia(
  app: FastifyInstance,
  { db, storage, access, settings, openSession }: MediaServices,
) {
  app.decorateRequest('mediaHeaders', null)
  const sendFile = storage.folder === null ? bucketSender(storage) : await folderSender(app, storage.folder)

  async function headersFor(picture: string, request: FastifyRequest, reply: FastifyReply) {
    const isMembersOnly = settings.isMembersOnly()
    if (!isMembersOnly && (await access.isPublic(picture))) return publicHeaders
    await openSession(request, reply)
    const me = request.session!.me
    if (!me && isMembersOnly) throw httpErrors.notFound()
    const mayRead = (isMembersOnly && (await access.isPublic(picture))) || (await access.mayRead(me, picture))
    if (!mayRead) throw httpErrors.notFound()
    return guardedHeaders
  }

  serveFiles(app, { db, storage, requireAccess: headersFor, mayShow: access.mayShow })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/*',
    errorHandler: showMissingFile,
    async handler(request, reply) {
      const name = (request.params as { '*': string })['*']
      const [, picture, ending] = fileNames.exec(name) ?? []
      if (!picture) throw httpErrors.notFound()
      request.mediaHeaders = await headersFor(picture, request, reply)
      return sendFile((await access.storedName(picture)) + ending, request, reply)
    },
  })
}

async function folderSender(app: FastifyInstance, root: string): Promise<SendFile> {
  await app.register(fastifyStatic, {
    root,
    serve: false,
    index: false,
    cacheControl: false,
    // Called by @fastify/static if the file exists, also for 304 and 416.
    setHeaders(reply) {
      dropDocumentHeaders(reply)
      reply.headers(reply.request.mediaHeaders ?? {})
    },
  })
  return async (name, _, reply) => reply.sendFile(name)
}

const bucketSender =
  (bucket: S3Storage): SendFile =>
  async (name, request, reply) => {
    if (await sendHead(bucket, name, request, reply)) return reply
    const { range = '', 'if-range': ifRange } = request.headers
    const isRange = /^bytes=(\d+-\d*|-\d+)$/.test(range) && !ifRange
    return sendBody(bucket, name, isRange ? range : undefined, request, reply)
  }

const fileHeaders = ({ mediaHeaders }: FastifyRequest, { etag, modified, bytes }: S3File) => ({
  ...mediaHeaders,
  etag,
  'accept-ranges': 'bytes',
  'last-modified': modified.toUTCString(),
  'content-type': 'image/webp',
  'content-length': bytes,
})

/** Answers HEAD, and conditional requests with 304. False if the file has to be sent. */
async function sendHead(bucket: S3Storage, name: string, request: FastifyRequest, reply: FastifyReply) {
  const isHead = request.method === 'HEAD'
  const { 'if-none-match': etag, 'if-modified-since': since } = request.headers
  if (!isHead && !etag && !since) return false
  const info = await bucket.stat(name)
  if (!info) throw httpErrors.notFound()
  dropDocumentHeaders(reply)
  const fresh = isFresh(request, info)
  if (fresh) reply.status(304).headers(request.mediaHeaders!).header('etag', info.etag).send()
  else if (isHead) reply.headers(fileHeaders(request, info)).send()
  return fresh || isHead
}

/** Stops reading from the bucket when the client disconnects. */
async function sendBody(
  bucket: S3Storage,
  name: string,
  range: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort())
  const file = await bucket
    .stream(name, { range, signal: disconnected.signal })
    .catch(async (error: { statusCode?: number }) => {
      if (disconnected.signal.aborted) return null
      const info = error.statusCode === 416 && (await bucket.stat(name))
      throw info ? Object.assign(error, { headers: { 'content-range': `bytes */${info.bytes}` } }) : error
    })
  if (!file) throw httpErrors.notFound()
  dropDocumentHeaders(reply)
  reply.status(file.range ? 206 : 200).headers(fileHeaders(request, file))
  if (file.range) reply.header('content-range', file.range)
  return reply.send(file.body)
}

/** RFC 9110, 13.1.2 and 13.1.3. */
function isFresh({ headers }: FastifyRequest, { etag, modified }: S3File) {
  const known = headers['if-none-match']
  if (known) return known.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
  const since = headers['if-modified-since']
  return since !== undefined && Date.parse(since) >= Math.floor(modified.getTime() / 1000) * 1000
}
