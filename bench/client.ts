import { connect } from 'node:net'
import { cpuTime } from './processes.ts'
import { inTurns, type Settings } from './report.ts'
import { sessionToken } from './rows.ts'

// An HTTP client that costs little processor time. On two cores, an expensive client would slow down the
// simpler servers beside which Engawa is measured, and Engawa would look better than it is.

interface Load {
  connections: number
  /** Null when there are no more requests. */
  next: () => Buffer | null
  status: number
}

/**
 * Sends requests over all connections at once until `next` returns null and everything is answered. Throws at
 * the first answer with another status.
 */
export async function load(port: number, { connections, next, status }: Load) {
  const start = performance.now()
  const answered = await Promise.all(Array.from({ length: connections }, () => converse(port, next, status)))
  const seconds = (performance.now() - start) / 1000
  const requests = answered.reduce((sum, count) => sum + count, 0)
  return { requests, perSecond: requests / seconds }
}

function converse(port: number, next: Load['next'], status: number) {
  return new Promise<number>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let answered = 0
    let head: Buffer | null = null
    let left = 0
    let isOver = false
    const ask = () => {
      const request = next()
      if (request) return socket.write(request)
      isOver = true
      socket.destroy()
      resolve(answered)
    }
    const fail = (message: string) => {
      isOver = true
      socket.destroy()
      reject(new Error(message))
    }
    const readHead = (chunk: Buffer) => {
      const bytes: Buffer = head ? Buffer.concat([head, chunk]) : chunk
      const end = bytes.indexOf('\r\n\r\n')
      if (end < 0) return void (head = bytes)
      head = null
      const text = bytes.toString('latin1', 0, end)
      left = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1])
      if (Number(text.slice(9, 12)) !== status)
        return fail(`An answer is not ${status}:\n${bytes.toString().slice(0, 1000)}`)
      if (Number.isNaN(left)) return fail(`An answer does not tell its length:\n${text}`)
      readBody(bytes.length - end - 4)
    }
    const readBody = (bytes: number) => {
      left -= bytes
      if (left) return
      answered++
      ask()
    }
    socket.on('connect', ask)
    socket.on('data', (chunk: Buffer) => {
      if (left) readBody(chunk.length)
      else readHead(chunk)
    })
    socket.on('error', reject)
    socket.on('close', () => !isOver && fail('The server closed a connection that was in use'))
  })
}

/** Each request once. */
export function once(requests: readonly Buffer[]) {
  let n = 0
  return () => requests[n++] ?? null
}

// ── Requests of members ─────────────────────────────────────────────────────

/** The cookies and the anti-forgery token of a browser. */
export interface Who {
  cookie: string
  token: string
}

/** As a browser gets them with the stored session of a member, or as a visitor. Nobody logs in. */
export async function cookies(url: string, member?: number): Promise<Who> {
  const headers = { ...(member !== undefined && { cookie: `engawa_session=${sessionToken(member)}` }) }
  const answer = await fetch(`${url}/sanctum/csrf-cookie`, { headers })
  if (answer.status !== 204) throw new Error(`No cookies came, but ${answer.status}`)
  const all = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
  const token = all.find((cookie) => cookie.startsWith('XSRF-TOKEN='))!.slice('XSRF-TOKEN='.length)
  return { cookie: all.join('; '), token }
}

/** The bytes of a request over HTTP/1.1. */
export function encode(method: string, path: string, { who, body }: { who?: Who; body?: object } = {}) {
  const text = body ? JSON.stringify(body) : ''
  const headers = {
    host: '127.0.0.1',
    ...(who && { cookie: who.cookie }),
    ...(who && method !== 'GET' && { 'x-xsrf-token': who.token }),
    ...(body && { 'content-type': 'application/json' }),
    ...(method !== 'GET' && { 'content-length': Buffer.byteLength(text) }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${text}`)
}

/** Sends one request with fetch, and throws if it fails. Null if the answer is no JSON object. */
export async function send(
  url: string,
  who: Who | null,
  method: string,
  path: string,
  body?: object | FormData,
) {
  const isForm = body instanceof FormData
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(who && { cookie: who.cookie, 'x-xsrf-token': decodeURIComponent(who.token) }),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok)
    throw new Error(`${method} ${path} is answered with ${answer.status}: ${text.slice(0, 300)}`)
  return text.startsWith('{') ? JSON.parse(text) : null
}

// ── The same requests to several servers, in turns ──────────────────────────

const CONNECTIONS = 16
/**
 * How many requests each side answers before it is measured, because Node compiles code that runs often; and
 * for how long at most, in s.
 */
const WARM = { requests: 3000, seconds: 10 }

export interface Side {
  port: number
  pid: number
  /** Sent one after the other, again and again. */
  requests: readonly Buffer[]
  connections?: number
  /** Runs beside the requests until its signal is aborted. */
  meanwhile?: (over: AbortSignal) => Promise<unknown>
}

/** The processor times of the server and of the database for a request are in µs. */
export interface Cost {
  perSecond: number
  micros: number
  database: number
}

/** Measures all sides in turns. `databaseTime` returns the processor time of the database so far, in ms. */
export async function race(sides: readonly Side[], settings: Settings, databaseTime = () => 0) {
  for (const side of sides) {
    let left = WARM.requests
    const next = cycle(side.requests, WARM.seconds)
    const { connections = CONNECTIONS, port } = side
    await load(port, { connections, next: () => (left-- > 0 ? next() : null), status: 200 })
  }
  return inTurns(settings.rounds, sides, async (side): Promise<Cost> => {
    const over = new AbortController()
    const { connections = CONNECTIONS, port, pid, requests, meanwhile } = side
    const beside = meanwhile?.(over.signal)
    const [server, database] = [cpuTime(pid), databaseTime()]
    const done = await load(port, { connections, next: cycle(requests, settings.seconds), status: 200 })
    const each = (ms: number) => (ms * 1000) / done.requests
    const cost = { micros: each(cpuTime(pid) - server), database: each(databaseTime() - database) }
    over.abort()
    await beside
    return { perSecond: done.perSecond, ...cost }
  })
}

function cycle(requests: readonly Buffer[], seconds: number) {
  const end = performance.now() + seconds * 1000
  let n = 0
  return () => (performance.now() < end ? requests[n++ % requests.length]! : null)
}
