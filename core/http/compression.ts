import { promisify } from 'node:util'
import zlib, { constants } from 'node:zlib'
import { Negotiator } from '@fastify/accept-negotiator'
import type { FastifyInstance } from 'fastify'
import { memoize } from '#core/database/cache.ts'

type Encoding = 'zstd' | 'br' | 'gzip'

/** Bytes. A packet is sent whole however little is in it. */
const LEAST = 1024
/** Bytes from which another thread does it: below, asking one costs more than the work, and it may be busy with a picture. */
const LARGE = 2 ** 17

/** In one piece and with a small window: as a stream each answer costs tens of times as much. */
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
const atOnce = { zstd: zlib.zstdCompressSync, br: zlib.brotliCompressSync, gzip: zlib.gzipSync }
const elsewhere = {
  zstd: promisify(zlib.zstdCompress),
  br: promisify(zlib.brotliCompress),
  gzip: promisify(zlib.gzip),
} as Record<Encoding, (bytes: Buffer, options: object) => Promise<Buffer>>

/** What was compressed of answers that are sent again and again. */
const done = new WeakMap<Buffer, Map<Encoding, Buffer>>()

function compressed(bytes: Buffer, encoding: Encoding) {
  const known = done.get(bytes) ?? new Map<Encoding, Buffer>()
  done.set(bytes, known)
  const ready = known.get(encoding)
  if (ready) return ready
  if (bytes.length > LARGE) return elsewhere[encoding](bytes, options[encoding](bytes.length))
  const made = atOnce[encoding](bytes, options[encoding](bytes.length))
  known.set(encoding, made)
  return made
}

/** Compresses what is text and not a stream, as far as the reader's Accept-Encoding goes (RFC 9110, 12.5.3). */
export function registerCompression(app: FastifyInstance) {
  const negotiator = new Negotiator({ supportedValues: ['zstd', 'br', 'gzip'] })
  const encodingFor = memoize(100, (accepted: string) => negotiator.negotiate(accepted) as Encoding | null)
  app.addHook('onSend', (request, reply, payload, send) => {
    const accepted = request.headers['accept-encoding']
    const isText = /^text\/|[/+](json|xml)\b/.test(String(reply.getHeader('content-type') ?? ''))
    if (
      !isText ||
      !(typeof payload === 'string' || Buffer.isBuffer(payload)) ||
      reply.hasHeader('content-encoding')
    )
      return send(null, payload)
    if (!/accept-encoding/.test(String(reply.getHeader('vary') ?? '')))
      reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '))
    const encoding = accepted && payload.length >= LEAST ? encodingFor(accepted) : null
    if (!encoding) return send(null, payload)
    reply.header('content-encoding', encoding).removeHeader('content-length')
    const made = compressed(Buffer.isBuffer(payload) ? payload : Buffer.from(payload), encoding)
    if (Buffer.isBuffer(made)) return send(null, made)
    made.then(
      (bytes) => send(null, bytes),
      (error: Error) => send(error),
    )
  })
}
