import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import {
  connectTlsToOneIpAddress,
  isDottedHostName,
  type PublicInternetConnector,
  resolvePublicIpAddresses,
} from '#core/public-network.ts'
import { decodeFetchedHtmlPage } from './decode-page.ts'
import {
  type LinkedPageTitleAndDescription,
  parseLinkedPageTitleAndDescriptionFromHtml,
} from './parse-page.ts'

// The functions in this file fetch a page to which a member has linked. Their limits protect the machines of
// the server's own network, this server, and the visited servers.

/** The maximum number of characters of a URL that the server visits for a preview. */
const MAX_URL_LENGTH = 2000
const MAX_REDIRECTS = 3
/**
 * The maximum number of bytes that are read of a page: both of the bytes received and of the bytes after
 * decompression.
 */
const MAX_BYTES = 512 * 1024
const REDIRECTS = [301, 302, 303, 307, 308]
const USER_AGENT = 'Mozilla/5.0 (compatible; EngawaLinkPreview/1.0; +https://github.com/engawa-social/engawa)'

/**
 * Parses a URL, and returns it if the server may visit it: http or https on the usual port of a host name,
 * without a password. Returns null for other texts.
 */
export function parseUrlIfServerMayVisit(text: string): URL | null {
  const url = URL.parse(text)
  if (!url || url.href.length > MAX_URL_LENGTH || !isDottedHostName(url.hostname)) return null
  return !/^https?:$/.test(url.protocol) || url.port || url.username || url.password ? null : url
}

interface Visit {
  network: PublicInternetConnector
  /** The language that the request asks for in the header Accept-Language. */
  language: string
  signal: AbortSignal
}

/**
 * Sends a GET request to one of the public IP addresses of the host. Sends no cookies and no referrer.
 * Returns the response, whose body the caller reads.
 */
async function sendRequest(url: URL, { network, language, signal }: Visit): Promise<IncomingMessage> {
  const isHttps = url.protocol === 'https:'
  const addresses = await resolvePublicIpAddresses(network, url.hostname, signal)
  const createConnection = () =>
    isHttps ? connectTlsToOneIpAddress(network, addresses, url.hostname) : network.connect(addresses, 80)
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
    // Some responses, such as one with the status 101, end the request without an event `response` or
    // `error`. Then the promise is rejected here.
    request.on('close', () => reject(new Error('The request has no response')))
    request.on('upgrade', (_, socket) => socket.destroy())
    request.on('response', resolve)
    request.end()
  })
}

/**
 * Requests a page and follows its redirects. Checks before each request whether the server may visit the URL.
 * Returns the last response.
 */
async function followRedirects(address: string, visit: Visit) {
  let url = parseUrlIfServerMayVisit(address)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!url) throw new Error('The address may not be visited')
    const response = await sendRequest(url, visit)
    const { location } = response.headers
    if (!REDIRECTS.includes(response.statusCode!) || location === undefined) return response
    response.destroy()
    url = parseUrlIfServerMayVisit(URL.parse(location, url)?.href ?? '')
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

/** Returns the bytes of a response after decompression. Throws an error for compressions other than gzip. */
function unpack(response: IncomingMessage): AsyncIterable<Buffer> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  const packed = takeBytes(response, MAX_BYTES)
  if (encoding === 'identity') return packed
  if (encoding !== 'gzip' && encoding !== 'x-gzip') throw new Error('The page is packed in an unknown way')
  // With `finishFlush`, gzip also returns the text at the end of a body that was cut off. Errors come out of
  // the returned stream.
  return pipeline(packed, createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }), () => {})
}

/** Reads the beginning of a page: until its `<head>` has ended, and at most `MAX_BYTES`. */
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

/**
 * Fetches a web page, and returns the title and the other texts for its preview; null if the page has no
 * title. Throws an error if the server may not visit the page, if the answer takes too long, or if the page
 * is no HTML.
 */
export async function fetchLinkedPageTitleAndDescription(
  address: string,
  { network, language, signal }: Visit,
): Promise<LinkedPageTitleAndDescription | null> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(network.timeout)])
  const response = await followRedirects(address, { network, language, signal: limit })
  try {
    const { 'content-type': contentType = '', 'x-robots-tag': robots } = response.headers
    if (response.statusCode !== 200) throw new Error(`Status ${response.statusCode}`)
    if (!/^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(contentType))
      throw new Error('The page is no HTML')
    const body = await readBeginning(response)
    limit.throwIfAborted()
    return parseLinkedPageTitleAndDescriptionFromHtml(
      decodeFetchedHtmlPage(body, contentType),
      String(robots ?? ''),
    )
  } finally {
    response.destroy()
  }
}
