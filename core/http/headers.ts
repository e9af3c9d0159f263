import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import helmet from 'helmet'
import type { Config } from '#core/config.ts'
import { memoize } from '#core/database/cache.ts'

const clientErrors: Record<string, readonly [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    '413 Content Too Large',
    'The chunks of the body carry too much beside it.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
}
const badRequest = ['400 Bad Request', 'This is no HTTP request.'] as const

/**
 * Sends an error response if Node cannot read a request: because it is not valid HTTP, its headers are
 * larger than Node's limit of 16 kB, its chunks have extensions that are too large, or it takes too long to
 * arrive.
 */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const [status, message] = clientErrors[error.code ?? ''] ?? badRequest
  const body = JSON.stringify({ message })
  socket.write(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\ncache-control: no-store\r\nconnection: close\r\n\r\n${body}`,
  )
  // destroySoon closes the socket once the response is sent; `end` would wait for a client that never closes.
  socket.destroySoon()
}

/**
 * The value of the Permissions-Policy header (https://www.w3.org/TR/permissions-policy/). The header switches
 * off the browser features that no page uses, and allows the microphone only to pages of this site, which
 * record voice messages.
 */
const permissions = ['camera', 'display-capture', 'geolocation', 'hid', 'midi', 'payment', 'serial', 'usb']
  .map((name) => `${name}=()`)
  .concat('microphone=(self)')
  .join(', ')

/**
 * Returns the CSP sources for the site's own WebSockets, because some browsers do not include them in 'self'.
 */
const socketsOf = (host: string) => (/^[\w.:[\]-]+$/.test(host) ? `ws://${host} wss://${host}` : "'self'")

/**
 * The number of hosts whose headers are cached. A site has one or two hosts, but a client may send any name.
 */
const MAX_HOSTS = 20

/**
 * Returns a function that gives the security headers of a response, by the Host header of the request. The
 * headers allow only the site's own scripts and styles, and forbid every site to show its pages in frames.
 * Helmet creates the headers once for each host. In development there is no Content-Security-Policy.
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
    mediaSrc: pictures.filter((source) => source !== 'data:'),
    // Allows workers from a Blob, because the decoder of HEIC pictures makes its worker from one
    // (web/ui/heic.tsx).
    workerSrc: ["'self'", 'blob:'],
    fontSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    // The scripts send all forms. If one fails, the browser must not send its fields in the address.
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  }
  const cachedHeaders = memoize(MAX_HOSTS, headersFor)
  return (host = '') => cachedHeaders(host)

  function headersFor(host: string) {
    const connectSrc = ["'self'", socketsOf(host)]
    const headers: Record<string, string> = {
      // By default no cache stores a response. Routes whose responses may be cached set another value.
      'cache-control': 'no-store',
      'permissions-policy': permissions,
      ...(!config.SEARCH_ENGINES && { 'x-robots-tag': 'noindex' }),
    }
    const setHeaders = helmet({
      contentSecurityPolicy: development
        ? false
        : { useDefaults: false, directives: { ...directives, connectSrc } },
      strictTransportSecurity: config.PUBLIC_URL?.startsWith('https:') ? { maxAge: 31_536_000 } : false,
      referrerPolicy: { policy: 'same-origin' },
      crossOriginResourcePolicy: { policy: 'same-origin' },
      crossOriginEmbedderPolicy: false,
    })
    const response = {
      setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
      removeHeader() {},
    }
    setHeaders({} as IncomingMessage, response as unknown as ServerResponse, () => {})
    return headers
  }
}

/** The names of the headers that browsers obey only in the response of a page or a worker. */
const documentHeaders = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]

/**
 * For scripts, styles and pictures, of which a page loads thirty: without HTTP/2, these headers would be a
 * tenth of all bytes.
 */
export function dropDocumentHeaders(reply: FastifyReply) {
  for (const name of documentHeaders) reply.removeHeader(name)
}

/** Returns the CORS options that let pages of ALLOWED_ORIGINS call the API with cookies. */
export const corsOptions = ({ ALLOWED_ORIGINS }: Config) => ({
  delegator: (request: FastifyRequest, done: (error: null, options: object) => void) => {
    const isApi =
      /^\/(api\/|sanctum\/csrf-cookie$|login$|logout$|my-broadcast-auth$|broadcasting\/(user-)?auth$)/.test(
        request.url.split('?')[0]!,
      )
    const isAllowed = isApi && ALLOWED_ORIGINS.includes(request.headers.origin ?? '')
    done(
      null,
      isAllowed
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
