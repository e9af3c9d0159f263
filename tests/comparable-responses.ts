import type { TestClient } from '#tests/harness.ts'

/** The response that a request of an in-process test client returns. */
export type ClientResponse = Awaited<ReturnType<TestClient['get']>>
/**
 * The names of the response headers whose values differ from request to request. Of cookies, the tests
 * compare only the names.
 */
const changing = new Set(['date', 'set-cookie', 'x-ratelimit-reset'])

/**
 * Returns all parts of a response that should be equal for two requests that a test compares. Replaces the
 * requested URL in these parts by `URL`.
 */
export function comparable({ status, headers, raw }: ClientResponse, url: string) {
  const cookies = [headers['set-cookie'] ?? []].flat().map((cookie) => String(cookie).split('=')[0])
  const stable = Object.entries(headers).filter(([name]) => !changing.has(name))
  const withoutUrl = (text: string) => text.replaceAll(encodeURIComponent(url), 'URL').replaceAll(url, 'URL')
  return {
    status,
    cookies,
    headers: Object.fromEntries(stable.map(([name, value]) => [name, withoutUrl(String(value))])),
    body: withoutUrl(raw.toString('latin1')),
  }
}
/**
 * Sets of request headers. The tests against leaks send each GET request with each of these sets, because a
 * response with a status such as 304 or 206 could also reveal something.
 */
export const headerSets: Record<string, string>[] = [
  {},
  { 'if-none-match': '*' },
  { 'if-modified-since': new Date(0).toUTCString() },
  { range: 'bytes=0-0' },
  { 'accept-encoding': 'gzip' },
  { accept: 'text/html', 'accept-language': 'ja' },
]
