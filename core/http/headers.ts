import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import helmet from 'helmet'
import type { Config } from '#core/config.ts'
import { memoize } from '#core/database/cache.ts'

const faults: Record<string, readonly [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    '413 Content Too Large',
    'The chunks of the body carry too much beside it.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
}
const noRequest = ['400 Bad Request', 'This is no HTTP request.'] as const

/** Bytes that are no HTTP request, headers over Node's 16 kB, or a request that does not end, never become one: they are answered on the socket. */
export function onClientError(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const [status, message] = faults[error.code ?? ''] ?? noRequest
  const body = JSON.stringify({ message })
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** The site's own sockets: not every browser counts them as 'self'. */
const socketsOf = (host: string) => (/^[\w.:[\]-]+$/.test(host) ? `ws://${host} wss://${host}` : "'self'")

/** Hosts whose headers are kept: a site has one or two, and somebody may send any. */
const MOST_HOSTS = 20

/**
 * What every answer says to browsers, by the Host that was asked: no script and no style but our own files; nobody may frame the site;
 * media may be shown by other clients. Helmet says it once for each host.
 */
export function securityHeaders(
  config: Config,
  development: boolean,
): (host: string | undefined) => Readonly<Record<string, string>> {
  const pictures = [
    ...new Set(["'self'", 'data:', 'blob:', ...(config.PUBLIC_URL ? [config.PUBLIC_URL] : [])]),
  ]
  const directives = {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: pictures,
    fontSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  }
  const said = memoize(MOST_HOSTS, learn)
  return (host = '') => said(host)

  function learn(host: string) {
    const connectSrc = ["'self'", socketsOf(host)]
    const said: Record<string, string> = config.SEARCH_ENGINES ? {} : { 'x-robots-tag': 'noindex' }
    const guard = helmet({
      contentSecurityPolicy: development
        ? false
        : { useDefaults: false, directives: { ...directives, connectSrc } },
      strictTransportSecurity: config.PUBLIC_URL?.startsWith('https:') ? { maxAge: 15_552_000 } : false,
      referrerPolicy: { policy: 'same-origin' },
      crossOriginResourcePolicy: { policy: 'same-origin' },
      crossOriginEmbedderPolicy: false,
    })
    const answer = {
      setHeader: (name: string, value: string) => (said[name.toLowerCase()] = value),
      removeHeader() {},
    }
    guard({} as IncomingMessage, answer as unknown as ServerResponse, () => {})
    return said
  }
}

/** Calls that pages of other origins may make, and only those of ALLOWED_ORIGINS. */
export const corsOptions = ({ ALLOWED_ORIGINS }: Config) => ({
  delegator: (request: FastifyRequest, done: (error: null, options: object) => void) => {
    const open = /^\/(api\/|sanctum\/csrf-cookie$|login$|logout$|my-broadcast-auth$)/.test(
      request.url.split('?')[0]!,
    )
    const welcome = open && ALLOWED_ORIGINS.includes(request.headers.origin ?? '')
    done(
      null,
      welcome
        ? {
            origin: true,
            credentials: true,
            exposedHeaders: ['Link', 'Retry-After'],
            methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
          }
        : { origin: false },
    )
  },
})
