import { promisify } from 'node:util'
import zlib, { constants } from 'node:zlib'
import { Negotiator } from '@fastify/accept-negotiator'
import type { FastifyInstance } from 'fastify'
import { memoize } from '#core/database/cache.ts'

type Encoding = 'zstd' | 'br' | 'gzip'

/** Bodies below this size, in bytes, are not compressed: they fit into one packet anyway. */
const MIN_BYTES = 1024
/**
 * Bodies above this size, in bytes, are compressed in another thread. For smaller ones, the change of threads
 * costs more than the compression. The threads may also be busy with pictures.
 */
const THREAD_BYTES = 2 ** 17

/**
 * Returns the size of brotli's compression window for a text of `size` bytes, as a power of two. A window as
 * large as the text is enough, and costs less than a larger one.
 */
const window = (size: number) => Math.min(22, Math.max(16, Math.ceil(Math.log2(size))))
const options = {
  zstd: () => ({ params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
  br: (size: number) => ({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 3,
      [constants.BROTLI_PARAM_LGWIN]: window(size),
      [constants.BROTLI_PARAM_SIZE_HINT]: size,
    },
  }),
  gzip: () => ({ level: 2 }),
}
/**
 * The functions that compress a body, by the name of the encoding. They compress whole buffers, because a
 * compression stream would cost tens of times as much.
 */
const compressSync = { zstd: zlib.zstdCompressSync, br: zlib.brotliCompressSync, gzip: zlib.gzipSync }
const compressInThread = {
  zstd: promisify(zlib.zstdCompress),
  br: promisify(zlib.brotliCompress),
  gzip: promisify(zlib.gzip),
} as Record<Encoding, (bytes: Buffer, options: object) => Promise<Buffer>>

/**
 * The compressed forms of buffers, so that a buffer that is sent several times, such as a cached response, is
 * compressed once. A buffer and its compressed forms leave memory together.
 */
const compressedForms = new WeakMap<Buffer, Map<Encoding, Buffer>>()

/** Returns a body in its compressed form; for bodies above THREAD_BYTES, a promise of it. */
function compress(bytes: Buffer, encoding: Encoding) {
  const forms = compressedForms.get(bytes) ?? new Map<Encoding, Buffer>()
  compressedForms.set(bytes, forms)
  const keep = (form: Buffer) => {
    forms.set(encoding, form)
    return form
  }
  const form = forms.get(encoding)
  if (form) return form
  const settings = options[encoding](bytes.length)
  if (bytes.length > THREAD_BYTES) return compressInThread[encoding](bytes, settings).then(keep)
  return keep(compressSync[encoding](bytes, settings))
}

/**
 * Makes the app compress responses that are text and no stream, in an encoding that the client accepts
 * (RFC 9110, 12.5.3). Leaves out responses of which clients may request ranges, because a range counts the
 * bytes of the response as it is stored.
 */
export function compressResponses(app: FastifyInstance) {
  const negotiator = new Negotiator({ supportedValues: ['zstd', 'br', 'gzip'] })
  const encodingFor = memoize(100, (accepted: string) => negotiator.negotiate(accepted) as Encoding | null)
  app.addHook('onSend', (request, reply, payload, send) => {
    if (reply.raw.destroyed) return send(null, payload)
    const accepted = request.headers['accept-encoding']
    const isText = /^text\/|[/+](json|xml)\b/.test(String(reply.getHeader('content-type') ?? ''))
    if (
      !isText ||
      !(typeof payload === 'string' || Buffer.isBuffer(payload)) ||
      reply.hasHeader('content-encoding') ||
      reply.hasHeader('accept-ranges')
    )
      return send(null, payload)
    if (!/accept-encoding/.test(String(reply.getHeader('vary') ?? '')))
      reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '))
    const encoding = accepted && payload.length >= MIN_BYTES ? encodingFor(accepted) : null
    if (!encoding) return send(null, payload)
    reply.header('content-encoding', encoding).removeHeader('content-length')
    const result = compress(Buffer.isBuffer(payload) ? payload : Buffer.from(payload), encoding)
    if (Buffer.isBuffer(result)) return send(null, result)
    result.then(
      (bytes) => send(null, bytes),
      (error: Error) => send(error),
    )
  })
}
