import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Negotiator } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { memoize } from '#core/database/cache.ts'
import { dropDocumentHeaders } from '#core/http/headers.ts'

/**
 * The maximum size, in bytes, of a file that is kept in memory. A larger file is read from the disk for each
 * response.
 */
const MAX_FILE_SIZE = 2 ** 19
/**
 * The maximum size of all files in memory together, in bytes. There is room for twice the build with its
 * compressed files.
 */
const MAX_TOTAL_SIZE = 2 ** 23

/**
 * The names of the headers that depend on the file alone. Those of the first list are also sent with 304 (RFC
 * 9110, 15.4.5).
 */
const validationHeaders = ['cache-control', 'etag', 'last-modified', 'vary', 'accept-ranges']
const contentHeaders = ['content-type', 'content-encoding', 'content-length']

interface CachedFile {
  bytes: Buffer
  etag: string
  headers: Record<string, string>
  headersOf304: Record<string, string>
}

/**
 * Keeps the static files that the routes of `scope` send, and answers later requests from memory: opening and
 * streaming a file costs twenty times as much. A file of the build never changes while the server runs. The
 * routes themselves answer the first request for a file, ranges, and rare conditions.
 */
export function answerFromMemory(scope: FastifyInstance) {
  const files = new Map<string, CachedFile>()
  let totalSize = 0
  const negotiator = new Negotiator({ supportedValues: ['br', 'gzip'] })
  const negotiate = memoize(100, (accepted: string) =>
    // Reads `*` in Accept-Encoding as gzip, as @fastify/static does.
    negotiator.negotiate(accepted.toLowerCase().replaceAll('*', 'gzip')),
  )
  const encodingFor = ({ 'accept-encoding': accepted }: IncomingHttpHeaders) =>
    accepted ? negotiate(accepted) : null
  const keyOf = ({ url, headers }: FastifyRequest) => `${encodingFor(headers)} ${url.split('?', 1)[0]}`

  scope.addHook('onRequest', (request, reply, next) => {
    const file = files.get(keyOf(request))
    if (!file || hasRareCondition(request.headers)) return next()
    if (request.url.startsWith('/assets/')) dropDocumentHeaders(reply)
    const { 'if-none-match': known } = request.headers
    if (known && isEtagIn(file.etag, known)) reply.status(304).headers(file.headersOf304).send()
    else reply.headers(file.headers).send(file.bytes)
  })

  scope.addHook('onSend', (request, reply, payload, send) => {
    if (!isWholeFile(request, reply, payload)) return send(null, payload)
    buffer(payload).then(
      (bytes) => {
        const encoding = reply.getHeader('content-encoding')
        if (encoding === undefined || encoding === encodingFor(request.headers))
          keep(keyOf(request), toCachedFile(reply, bytes))
        send(null, bytes)
      },
      (error: Error) => send(error),
    )
  })

  function keep(key: string, file: CachedFile) {
    totalSize += file.bytes.length - (files.get(key)?.bytes.length ?? 0)
    files.set(key, file)
    for (const [oldest, { bytes }] of files) {
      if (totalSize <= MAX_TOTAL_SIZE) break
      files.delete(oldest)
      totalSize -= bytes.length
    }
  }
}

/** Whether the response depends on more than If-None-Match and Accept-Encoding. */
const hasRareCondition = (headers: IncomingHttpHeaders) =>
  headers.range !== undefined ||
  headers['if-match'] !== undefined ||
  headers['if-unmodified-since'] !== undefined ||
  (headers['if-none-match'] === undefined
    ? headers['if-modified-since'] !== undefined
    : headers['cache-control']?.includes('no-cache'))

/** Compares ETags as RFC 9110, 13.1.2, says: weak and strong validators with the same text are equal. */
const isEtagIn = (etag: string, list: string) =>
  list === '*' || list.split(',').some((one) => withoutWeakness(one.trim()) === withoutWeakness(etag))
const withoutWeakness = (etag: string) => etag.replace(/^W\//, '')

/**
 * Whether the payload is a stream of a whole file that is small enough to be kept in memory. A path with an
 * encoded character is another spelling of a file that has a plain path, so its file is not kept.
 */
const isWholeFile = (request: FastifyRequest, reply: FastifyReply, payload: unknown): payload is Readable =>
  payload instanceof Readable &&
  request.method === 'GET' &&
  reply.statusCode === 200 &&
  Number(reply.getHeader('content-length')) <= MAX_FILE_SIZE &&
  !request.url.includes('%')

function toCachedFile(reply: FastifyReply, bytes: Buffer): CachedFile {
  const pick = (names: readonly string[]) =>
    Object.fromEntries(
      names.filter((name) => reply.hasHeader(name)).map((name) => [name, String(reply.getHeader(name))]),
    )
  const headersOf304 = pick(validationHeaders)
  return {
    bytes,
    etag: headersOf304.etag ?? '',
    headersOf304,
    headers: { ...headersOf304, ...pick(contentHeaders) },
  }
}
