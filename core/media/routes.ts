import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '#core/http/errors.ts'
import type { FileInfo, FolderStorage, S3Storage } from '#core/media/storage.ts'

const YEAR = 365 * 24 * 3600
export const immutable = `public, max-age=${YEAR}, immutable`
/** The content of a name never changes, and pages of other origins may show it. */
const commonHeaders = { 'cache-control': immutable, 'cross-origin-resource-policy': 'cross-origin' }

/** Serves the files of pictures at /media/: from a folder directly, or from a bucket by passing them on. */
export async function serveMedia(app: FastifyInstance, storage: FolderStorage | S3Storage) {
  if (storage.folder === null) return serveBucket(app, storage)
  await app.register(fastifyStatic, {
    root: storage.folder,
    prefix: '/media/',
    index: false,
    cacheControl: false,
    setHeaders(reply) {
      for (const [name, value] of Object.entries(commonHeaders)) reply.header(name, value)
    },
  })
}

function serveBucket(app: FastifyInstance, bucket: S3Storage) {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/*',
    async handler(request, reply) {
      const name = (request.params as { '*': string })['*']
      if (!/^[0-9a-f]{40}-\d{1,5}\.webp$/.test(name)) throw errors.notFound()
      if (await sendHead(bucket, name, request, reply)) return reply
      const { range = '', 'if-range': ifRange } = request.headers
      const isRange = /^bytes=(\d+-\d*|-\d+)$/.test(range) && !ifRange
      return sendBody(bucket, name, isRange ? range : undefined, reply)
    },
  })
}

const fileHeaders = ({ etag, modified, bytes }: FileInfo) => ({
  ...commonHeaders,
  etag,
  'accept-ranges': 'bytes',
  'last-modified': modified.toUTCString(),
  'content-type': 'image/webp',
  'content-length': bytes,
})

/** Answers HEAD requests, and conditional ones with 304. Returns false where the client needs the file. */
async function sendHead(bucket: S3Storage, name: string, request: FastifyRequest, reply: FastifyReply) {
  const isHead = request.method === 'HEAD'
  const { 'if-none-match': etag, 'if-modified-since': since } = request.headers
  if (!isHead && !etag && !since) return false
  const info = await bucket.stat(name)
  if (!info) throw errors.notFound()
  const fresh = isFresh(request, info)
  if (fresh) reply.status(304).headers(commonHeaders).header('etag', info.etag).send()
  else if (isHead) reply.headers(fileHeaders(info)).send()
  return fresh || isHead
}

/** Stops reading from the bucket when the client disconnects. */
async function sendBody(bucket: S3Storage, name: string, range: string | undefined, reply: FastifyReply) {
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort())
  const file = await bucket
    .stream(name, { range, signal: disconnected.signal })
    .catch(async (error: { statusCode?: number }) => {
      if (disconnected.signal.aborted) return null
      const info = error.statusCode === 416 && (await bucket.stat(name))
      throw info ? Object.assign(error, { headers: { 'content-range': `bytes */${info.bytes}` } }) : error
    })
  if (!file) throw errors.notFound()
  reply.status(file.range ? 206 : 200).headers(fileHeaders(file))
  if (file.range) reply.header('content-range', file.range)
  return reply.send(file.body)
}

/** Whether the client's copy is still valid (RFC 9110, 13.1.2 and 13.1.3). */
function isFresh({ headers }: FastifyRequest, { etag, modified }: FileInfo) {
  const known = headers['if-none-match']
  if (known) return known.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
  const since = headers['if-modified-since']
  return since !== undefined && Date.parse(since) >= Math.floor(modified.getTime() / 1000) * 1000
}
