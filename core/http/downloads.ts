import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { areSecretsEqual } from '#core/secrets/crypto.ts'

interface DownloadOptions {
  /** The size of the whole file in bytes. Null: it is made while it is sent, so there are no ranges of it. */
  bytes: number | null
  /** A strong validator (RFC 9110, 8.8.1) without quotes: a file with other content has another `etag`. */
  etag: string
  contentType: string
  filename: string
  /** Further HTTP headers of the response. */
  headers?: Readonly<Record<string, string>>
  /**
   * Throws if the client may not begin the download. It is not called for a client that continues a download,
   * which may have been interrupted hours earlier. Such a client sends the `etag` of the first response as
   * `If-Range`. So the `etag` must be a value that only clients who were allowed to begin know.
   */
  assertMayBegin?: () => Promise<void>
  /** Opens the bytes from `start` to `end`, both included; the whole file if its size is unknown. */
  open: (start: number, end: number) => Promise<Readable> | Readable
}

/** A file as the response of an endpoint. A client may ask for a range of it, to continue a download. */
export class Download {
  readonly options: DownloadOptions
  constructor(options: DownloadOptions) {
    this.options = options
  }
}

interface ByteRange {
  start: number
  end: number
}

/**
 * Parses the header `Range` (RFC 9110, 14.1.2). Returns null if it does not select one range of bytes, which
 * means the whole file, and `unsatisfiable` if the file has no such bytes.
 */
function parseRange(header: string | undefined, bytes: number): ByteRange | null | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (!first && !last) return null
  if (!first) {
    const length = Math.min(Number(last), bytes)
    return length ? { start: bytes - length, end: bytes - 1 } : 'unsatisfiable'
  }
  const start = Number(first)
  if (last && Number(last) < start) return null
  return start < bytes
    ? { start, end: last ? Math.min(Number(last), bytes - 1) : bytes - 1 }
    : 'unsatisfiable'
}

/**
 * Returns the header `Content-Disposition` (RFC 6266) for a file that the browser saves, or shows (`inline`).
 * The name has an ASCII form for old clients, and a form in UTF-8 (RFC 8187).
 */
export function contentDisposition(filename: string, type: 'attachment' | 'inline' = 'attachment') {
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${filename.replace(/[^\w.-]+/g, '-')}"; filename*=UTF-8''${encoded}`
}

/** Of unknown size. The stream is destroyed when the client goes away. */
async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, filename, headers, assertMayBegin, open }: DownloadOptions,
) {
  await assertMayBegin?.()
  reply.headers({
    'cache-control': 'private, no-store',
    'content-disposition': contentDisposition(filename),
    ...headers,
  })
  const body = request.method === 'HEAD' ? Readable.from([]) : await open(0, 0)
  return reply.type(contentType).send(body)
}

/**
 * Sends a file, or the range of it that the request names. If `If-Range` names another version of the file,
 * sends the whole file. The response forbids caches to store it. Throws what `assertMayBegin` throws, and
 * 416 if the file does not have the range.
 */
export async function sendDownload(request: FastifyRequest, reply: FastifyReply, { options }: Download) {
  const { bytes, etag, contentType, filename, headers, assertMayBegin, open } = options
  if (bytes === null) return sendStream(request, reply, options)
  const { range: header } = request.headers
  const ifRange = String(request.headers['if-range'] ?? '')
  const isSameVersion = areSecretsEqual(ifRange, `"${etag}"`)
  if (!isSameVersion) await assertMayBegin?.()
  const range = ifRange && !isSameVersion ? null : parseRange(header, bytes)
  reply.headers({
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-disposition': contentDisposition(filename),
    etag: `"${etag}"`,
    ...headers,
  })
  if (range === 'unsatisfiable')
    throw Object.assign(new Error('No such range'), {
      statusCode: 416,
      headers: { 'content-range': `bytes */${bytes}` },
    })
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  // Sends no body for HEAD, because Fastify would read the whole stream and discard it.
  const body = request.method === 'HEAD' ? Readable.from([]) : await open(start, end)
  reply
    .status(range ? 206 : 200)
    .type(contentType)
    .header('content-length', end - start + 1)
  if (range) reply.header('content-range', `bytes ${start}-${end}/${bytes}`)
  return reply.send(body)
}
