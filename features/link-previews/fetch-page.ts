import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { type Connector, connectToOne, isDottedHostName, resolvePublic } from '#core/http/public-network.ts'
import { decodePage } from './decode-page.ts'
import { type PageContent, parsePage } from './parse-page.ts'

// The limits protect the machines of the server's own network, this server, and the visited servers.

/** Characters. */
const MAX_URL_LENGTH = 2000
const MAX_REDIRECTS = 3
/** Both of the bytes received and of those after decompression. */
const MAX_BYTES = 512 * 1024
const REDIRECTS = [301, 302, 303, 307, 308]
const USER_AGENT = 'Mozilla/5.0 (compatible; EngawaLinkPreview/1.0; +https://github.com/engawa-social/engawa)'

/** Http or https on the usual port of a host name, without a password. Null for other texts. */
export function parseAllowedUrl(text: string): URL | null {
  const url = URL.parse(text)
  if (!url || url.href.length > MAX_URL_LENGTH || !isDottedHostName(url.hostname)) return null
  return !/^https?:$/.test(url.protocol) || url.port || url.username || url.password ? null : url
}

interface Visit {
  network: Connector
  /** For the header Accept-Language. */
  language: string
  signal: AbortSignal
}

/** To one of the public IP addresses of the host, without cookies and referrer. The caller reads the body. */
async function sendRequest(url: URL, { network, language, signal }: Visit): Promise<IncomingMessage> {
  const isHttps = url.protocol === 'https:'
  const addresses = await resolvePublic(network, url.hostname, signal)
  const createConnection = () =>
    isHttps ? connectToOne(network, addresses, url.hostname) : network.connect(addresses, 80)
  const headers = {
    host: url.host,
    'user-agent': USER_AGENT,
    accept: 'text/html, application/xhtml+xml',
    'accept-language': language,
    'accept-encoding': 'gzip',
  }
  return new Promise((resolve, reject) => {
    const options = { headers, signal, createConnection }
    const request = isHttps ? requestHttps(url, options) : requestHttp(url, options)
    request.on('error', reject)
    // Some responses, such as a 101, end the request without an event `response` or `error`.
    request.on('close', () => reject(new Error('The request has no response')))
    request.on('upgrade', (_, socket) => socket.destroy())
    request.on('response', resolve)
    request.end()
  })
}

/** Checks before each request whether the server may visit the URL. */
async function followRedirects(address: string, visit: Visit) {
  let url = parseAllowedUrl(address)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!url) throw new Error('The address may not be visited')
    const response = await sendRequest(url, visit)
    const { location } = response.headers
    if (!REDIRECTS.includes(response.statusCode!) || location === undefined) return response
    response.destroy()
    url = parseAllowedUrl(URL.parse(location, url)?.href ?? '')
  }
  throw new Error('The page has too many redirects')
}

async function* takeBytes(source: AsyncIterable<Buffer>, max: number) {
  let size = 0
  for await (const chunk of source) {
    yield chunk.subarray(0, max - size)
    size += chunk.length
    if (size >= max) return
  }
}

/** Throws for compressions other than gzip. */
function unpack(response: IncomingMessage): AsyncIterable<Buffer> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  const packed = takeBytes(response, MAX_BYTES)
  if (encoding === 'identity') return packed
  if (encoding !== 'gzip' && encoding !== 'x-gzip') throw new Error('The page is packed in an unknown way')
  // With `finishFlush`, gzip also returns the end of a body that was cut off. Errors come out of the stream.
  return pipeline(packed, createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }), () => {})
}

/** Until `<head>` has ended, and at most `MAX_BYTES`. */
async function readBeginning(response: IncomingMessage) {
  const chunks: Buffer[] = []
  let end = ''
  for await (const chunk of takeBytes(unpack(response), MAX_BYTES)) {
    chunks.push(chunk)
    end = end.slice(-10) + chunk.toString('latin1')
    if (/<\/head\s*>/i.test(end)) break
  }
  return Buffer.concat(chunks)
}

/** Null if the page has no title. Throws if it may not be visited, takes too long, or is no HTML. */
export async function fetchPage(
  address: string,
  { network, language, signal }: Visit,
): Promise<PageContent | null> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(network.timeout)])
  const response = await followRedirects(address, { network, language, signal: limit })
  try {
    const { 'content-type': contentType = '', 'x-robots-tag': robots } = response.headers
    if (response.statusCode !== 200) throw new Error(`Status ${response.statusCode}`)
    if (!/^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(contentType))
      throw new Error('The page is no HTML')
    const body = await readBeginning(response)
    limit.throwIfAborted()
    return parsePage(decodePage(body, contentType), String(robots ?? ''))
  } finally {
    response.destroy()
  }
}
