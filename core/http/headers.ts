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

/**
 * Answers on the socket where Node has no request: invalid HTTP, headers over Node's 16 kB, or a request
 * that does not end.
 */
export function onClientError(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const [status, message] = faults[error.code ?? ''] ?? noRequest
  const body = JSON.stringify({ message })
  socket.write(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\ncache-control: no-store\r\nconnection: close\r\n\r\n${body}`,
  )
  // `end` would wait for a client that never closes its side.
  socket.destroySoon()
}

/**
 * Abilities of browsers that no page uses, so no script can use them
 * (https://www.w3.org/TR/permissions-policy/).
 */
const permissions = [
  'camera',
  'display-capture',
  'geolocation',
  'hid',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
  .map((name) => `${name}=()`)
  .join(', ')

/** The site's own sockets: not every browser counts them as 'self'. */
const socketsOf = (host: string) => (/^[\w.:[\]-]+$/.test(host) ? `ws://${host} wss://${host}` : "'self'")

/** The number of hosts whose headers are cached: a site has one or two, but a client may send any. */
const MOST_HOSTS = 20

/**
 * The security headers of all responses, by the Host of the request. They allow only the site's own scripts
 * and styles, and they forbid every site to frame it. Helmet makes them once for each host.
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
    const said: Record<string, string> = {
      // Answers that may be kept say so themselves.
      'cache-control': 'no-store',
      'permissions-policy': permissions,
      ...(!config.SEARCH_ENGINES && { 'x-robots-tag': 'noindex' }),
    }
    const guard = helmet({
      contentSecurityPolicy: development
        ? false
        : { useDefaults: false, directives: { ...directives, connectSrc } },
      strictTransportSecurity: config.PUBLIC_URL?.startsWith('https:') ? { maxAge: 31_536_000 } : false,
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

/** Lets pages of ALLOWED_ORIGINS make calls, with cookies. */
export const corsOptions = ({ ALLOWED_ORIGINS }: Config) => ({
  delegator: (request: FastifyRequest, done: (error: null, options: object) => void) => {
    const open =
      /^\/(api\/|sanctum\/csrf-cookie$|login$|logout$|my-broadcast-auth$|broadcasting\/(user-)?auth$)/.test(
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
