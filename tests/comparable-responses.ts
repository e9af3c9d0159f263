import type { TestClient } from '#tests/harness.ts'

/** The response of an in-process test client. */
export type TestClientResponse = Awaited<ReturnType<TestClient['get']>>
/** The response headers that differ from request to request. Of cookies, only the names are compared. */
const changing = new Set(['date', 'set-cookie', 'x-ratelimit-reset'])

/**
 * Returns all parts of a response that two requests should have in common. Replaces the requested URL by
 * `URL`.
 */
export function toComparableTestResponse({ status, headers, raw }: TestClientResponse, url: string) {
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
 * Sets of request headers. The tests send each GET request with each of these sets, because a response such
 * as 304 or 206 could reveal something.
 */
export const requestHeaderSetsForLeakTests: Record<string, string>[] = [
  {},
  { 'if-none-match': '*' },
  { 'if-modified-since': new Date(0).toUTCString() },
  { range: 'bytes=0-0' },
  { 'accept-encoding': 'gzip' },
  { accept: 'text/html', 'accept-language': 'ja' },
]
