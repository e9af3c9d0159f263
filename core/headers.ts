import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#core/config.ts'

const faults: Record<string, readonly [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Content Too Large', 'The chunks of the body carry too much beside it.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
}
const noRequest = ['400 Bad Request', 'This is no HTTP request.'] as const

/** Bytes that are no HTTP request, headers over Node's 16 kB, or a request that does not end, never become one: they are answered on the socket. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const [status, message] = faults[error.code ?? ''] ?? noRequest
  const body = JSON.stringify({ message })
  socket.end(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`)
}

/** The site's own sockets: not every browser counts them as 'self'. */
function socketsOf({ headers: { host = '' } }: IncomingMessage) {
  return /^[\w.:[\]-]+$/.test(host) ? `ws://${host} wss://${host}` : "'self'"
}

/** No script and no style but our own files; nobody may frame the site; media may be shown by other clients. */
export function headers(config: Config, development: boolean) {
  const pictures = [...new Set(["'self'", 'data:', 'blob:', ...(config.PUBLIC_URL ? [config.PUBLIC_URL] : [])])]
  return {
    contentSecurityPolicy: development
      ? false
      : {
          useDefaults: false,
          directives: {
            defaultSrc: ["'self'"],
            scriptSrc: ["'self'"],
            styleSrc: ["'self'"],
            imgSrc: pictures,
            connectSrc: ["'self'", socketsOf],
            fontSrc: ["'self'"],
            objectSrc: ["'none'"],
            baseUri: ["'none'"],
            formAction: ["'self'"],
            frameAncestors: ["'none'"],
          },
        },
    strictTransportSecurity: config.PUBLIC_URL?.startsWith('https:') ? { maxAge: 15_552_000 } : false,
    referrerPolicy: { policy: 'same-origin' as const },
    crossOriginResourcePolicy: { policy: 'same-origin' as const },
    crossOriginEmbedderPolicy: false,
  }
}

/** Calls that pages of other origins may make, and only those of ALLOWED_ORIGINS. */
export const crossOrigin = ({ ALLOWED_ORIGINS }: Config) => ({
  delegator: (request: FastifyRequest, done: (error: null, options: object) => void) => {
    const open = /^\/(api\/|sanctum\/csrf-cookie$|login$|logout$|my-broadcast-auth$)/.test(request.url.split('?')[0]!)
    const welcome = open && ALLOWED_ORIGINS.includes(request.headers.origin ?? '')
    done(
      null,
      welcome
        ? { origin: true, credentials: true, exposedHeaders: ['Link', 'Retry-After'], methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }
        : { origin: false },
    )
  },
})
