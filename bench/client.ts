import { connect } from 'node:net'
import { deriveBenchSessionToken } from './community-rows.ts'

// This module is an HTTP/1.1 client that costs little processor time. On two cores, an expensive client would
// slow down the simpler servers with which the bench compares Engawa, and Engawa would look better than it
// is. The client checks the status and the length of every response.

export interface ConcurrentHttpBenchOptions {
  connections: number
  /** Returns the bytes of the next request to send; null when there are no more. */
  next: () => Buffer | null
  /** The HTTP status that each response must have. */
  status: number
  /** The length in bytes that each response body must have; any length if absent. */
  length?: number
}

/**
 * Sends requests over `connections` connections at once, until `next` returns null and all requests are
 * answered. Returns the number of requests, the seconds that they took, and the requests per second. Throws
 * at the first response with another status or length.
 */
export async function measureConcurrentHttpRequestsPerSecond(
  port: number,
  { connections, next, status, length }: ConcurrentHttpBenchOptions,
) {
  const start = performance.now()
  const answered = await Promise.all(
    Array.from({ length: connections }, () => converse(port, next, status, length)),
  )
  const seconds = (performance.now() - start) / 1000
  const requests = answered.reduce((sum, count) => sum + count, 0)
  return { requests, seconds, perSecond: requests / seconds }
}

function converse(port: number, next: () => Buffer | null, status: number, length: number | undefined) {
  return new Promise<number>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let answered = 0
    let head: Buffer | null = null
    let left = 0
    let over = false
    const ask = () => {
      const request = next()
      if (request) return socket.write(request)
      over = true
      socket.destroy()
      resolve(answered)
    }
    const fail = (message: string) => {
      over = true
      socket.destroy()
      reject(new Error(message))
    }
    const begun = (chunk: Buffer) => {
      const bytes: Buffer = head ? Buffer.concat([head, chunk]) : chunk
      const end = bytes.indexOf('\r\n\r\n')
      if (end < 0) return void (head = bytes)
      head = null
      const text = bytes.toString('latin1', 0, end)
      // Expects neither a body nor a length in a response with the status 304.
      const size = status === 304 ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1])
      if (Number(text.slice(9, 12)) !== status)
        return fail(`An answer is not ${status}:\n${bytes.toString().slice(0, 1000)}`)
      if (Number.isNaN(size) || (length !== undefined && size !== length))
        return fail(`A body has not ${length} bytes:\n${text}`)
      left = size
      body(bytes.length - end - 4)
    }
    const body = (bytes: number) => {
      left -= bytes
      if (left) return
      answered++
      ask()
    }
    socket.on('connect', ask)
    socket.on('data', (chunk: Buffer) => {
      if (left) body(chunk.length)
      else begun(chunk)
    })
    socket.on('error', reject)
    socket.on('close', () => !over && fail('The server closed a line that was in use'))
  })
}

/** Returns a function that returns the same request each time until `seconds` have passed, and then null. */
export function createSameBenchRequestFunctionForSeconds(seconds: number, request: Buffer) {
  const end = performance.now() + seconds * 1000
  return () => (performance.now() < end ? request : null)
}

/** Returns a function that returns the next request of the list at each call, and null after the last one. */
export function createNextBenchRequestFunctionFromList(requests: readonly Buffer[]) {
  let n = 0
  return () => requests[n++] ?? null
}

export interface BenchCookiesAndXsrfToken {
  cookie: string
  token: string
}

/**
 * Requests /sanctum/csrf-cookie, as a browser does, and returns the cookies and the XSRF token. The request
 * carries the session that the bench has stored for `member`, or none if `member` is undefined; nobody logs
 * in.
 */
export async function fetchBenchCookiesAndXsrfToken(
  url: string,
  member?: number,
): Promise<BenchCookiesAndXsrfToken> {
  const given =
    member === undefined ? {} : { headers: { cookie: `engawa_session=${deriveBenchSessionToken(member)}` } }
  const answer = await fetch(`${url}/sanctum/csrf-cookie`, given)
  if (answer.status !== 204) throw new Error(`No cookies came, but ${answer.status}`)
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
  const token = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))!.slice('XSRF-TOKEN='.length)
  return { cookie: cookies.join('; '), token }
}

/**
 * Returns the bytes of an HTTP/1.1 request, with the cookies and the XSRF token of the visitor or member
 * `who`.
 */
export function encodeBenchHttpRequest(
  method: string,
  path: string,
  { who, body, headers = {} }: { who?: BenchCookiesAndXsrfToken; body?: object; headers?: object } = {},
) {
  const text = body ? JSON.stringify(body) : ''
  const all = {
    host: '127.0.0.1',
    ...(who && { cookie: who.cookie }),
    ...(who && method !== 'GET' && { 'x-xsrf-token': who.token }),
    ...(body && { 'content-type': 'application/json' }),
    ...(method !== 'GET' && { 'content-length': Buffer.byteLength(text) }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${text}`)
}
