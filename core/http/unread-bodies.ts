import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** The maximum number of bytes that are read of a refused body. The largest form has fewer. */
const MAX_BYTES = 256 * 2 ** 20

/**
 * Reads and drops the rest of a body whose request is answered before the body has arrived, as after an
 * upload that is refused. Otherwise the next request on the connection would wait behind it. The connection
 * is closed if the body is too long.
 */
export function dropUnreadBodies(app: FastifyInstance, maxBytes = MAX_BYTES) {
  app.addHook('onSend', ({ raw }, _, payload, done) => {
    if (!raw.complete && !raw.destroyed) drop(raw, maxBytes)
    done(null, payload)
  })
}

function drop(body: IncomingMessage, maxBytes: number) {
  let bytes = 0
  body.unpipe()
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) body.socket.destroy()
  })
  body.resume()
}
