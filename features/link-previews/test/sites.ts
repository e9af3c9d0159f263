import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Connector } from '#core/http/public-network.ts'

/**
 * The IP address to which the fake name server resolves all host names, unless a test sets another one. No
 * test connects to it.
 */
export const SITE_ADDRESS = '142.250.1.1'

type Answer = (response: ServerResponse) => void

/** Returns the HTML of a fake page with the given content of its `<head>`. */
export const siteHtml = (head: string) =>
  `<!doctype html><html><head>${head}</head><body><p>Text</p></body></html>`

/**
 * Creates a function that answers a request with the HTML of a fake page with the given content of its
 * `<head>`.
 */
export const htmlSite =
  (head: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(siteHtml(head))

export const redirectSite =
  (location: string, status = 302): Answer =>
  (response) =>
    response.writeHead(status, { location }).end()

/**
 * Starts a web server that answers for all fake websites, and returns functions that set its answers. It also
 * returns the network for the app under test: name servers that the test controls, and connections that all
 * end at the web server. The app's own `isPublicAddress` still decides about each address.
 */
export async function startSites({ timeout = 5000 } = {}) {
  const answers = new Map<string, Answer>()
  /**
   * For each host name, the lists of IP addresses that the fake name server returns. Each look-up takes the
   * next list; the last list stays.
   */
  const names = new Map<string, (readonly string[])[]>()
  const requests: { url: string; headers: IncomingHttpHeaders }[] = []
  const connections: { addresses: readonly string[]; port: number }[] = []
  const lookups: string[] = []
  const server = createServer((request, response) => {
    const url = `${request.headers.host}${request.url}`
    requests.push({ url, headers: request.headers })
    const answer = answers.get(url) ?? answers.get(url.replace(/\?.*/, ''))
    if (answer) answer(response)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: serverPort } = server.address() as AddressInfo
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const network: Connector = {
    resolve: async (hostname) => {
      lookups.push(hostname)
      const lists = names.get(hostname) ?? [[SITE_ADDRESS]]
      return (lists.length > 1 ? lists.shift() : lists[0]) ?? []
    },
    connect: (addresses, port) => {
      connections.push({ addresses, port })
      return connect(serverPort, '127.0.0.1')
    },
    timeout,
  }
  return {
    network,
    requests,
    connections,
    lookups,
    /**
     * Sets how the web server answers requests for a URL without its scheme, such as `site.example/page`,
     * with any query string.
     */
    answer: (address: string, answer: Answer) => void answers.set(address, answer),
    /** Sets the IP addresses that the fake name server returns for a host name: one list for each look-up. */
    name: (hostname: string, ...lists: (readonly string[])[]) => void names.set(hostname, lists),
  }
}
export type FakeWebsites = Awaited<ReturnType<typeof startSites>>
