import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchCookiesAndXsrfToken, encodeBenchHttpRequest } from './client.ts'
import { encodeBenchWebSocketTextFrame, STORM_BENCH_COUNTED_EVENT } from './protocols.ts'

// This program is a worker process of the bench section `storm`, in which many clients connect at once. It
// has one client for each browser window: a WebSocket that subscribes to the channels of a page, and the HTTP
// connection of the same browser, which asks for the signatures. Each client has an IP address of its own, so
// the server runs with its usual limits.

export interface ReconnectStormClientOptions {
  /** A number that no other client of the bench has. The client's IP address is made from it. */
  number: number
  member: number
  who: BenchCookiesAndXsrfToken
  /** The index in `ports` of the server process to which the client connects. */
  process: number
}
export type ReconnectStormCommand =
  | { do: 'create'; clients: ReconnectStormClientOptions[] }
  /**
   * Connects all clients at once. The answer is a ReconnectStormResult, sent when all clients are subscribed,
   * at the latest after `patience` seconds. `ports` are the ports of the server processes.
   */
  | { do: 'connect'; ports: number[]; patience: number }
  /** Waits until the server has closed all WebSockets, and then answers. */
  | { do: 'waitForCut' }
  /**
   * Answers true when each client has received `events` events of the name STORM_BENCH_COUNTED_EVENT since it
   * was created, or false after `patience` seconds.
   */
  | { do: 'hear'; events: number; patience: number }
export interface ReconnectStormResult {
  /** The seconds from the command `connect` until the last client was subscribed to all of its channels. */
  seconds: number
  /**
   * The seconds until half of the clients (`half`), and 99 % of them (`most`), were subscribed to all of
   * their channels.
   */
  half: number
  most: number
  /**
   * The number of failed attempts to connect and subscribe. A client tries again a second later, as pusher-js
   * does.
   */
  errors: number
  /** The error messages of failed attempts, each once, at most five. */
  reasons: string[]
  /** The number of bytes that the WebSockets of all clients have received. */
  bytes: number
  /** The number of clients that were not subscribed before `patience` seconds had passed. */
  missing: number
}

/**
 * The milliseconds that a client waits before it connects again after a lost connection, as pusher-js does.
 */
const RETRY_DELAY = 1000
/**
 * The maximum number of HTTP connections that are open at once. In reality each browser has its own, but this
 * worker process and the server may not open as many files.
 */
const MAX_HTTP = 3000
/**
 * The number of bytes at the beginning of a frame that surely contain the names of its event and its channel.
 */
const HEAD = 200
const handshake = Buffer.from(
  'GET /app/engawa?protocol=7&client=js&version=8.4.0 HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\n' +
    'connection: Upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
)
const pong = encodeBenchWebSocketTextFrame(JSON.stringify({ event: 'pusher:pong', data: {} }))

let clients: Client[] = []
let ports: readonly number[] = []
let bytes = 0
let errors = 0
/**
 * The number of events STORM_BENCH_COUNTED_EVENT that all clients together have received since they were
 * created.
 */
let heard = 0
const reasons = new Set<string>()

/** The tasks that wait, because at most MAX_HTTP tasks may run at once. */
const waiting: (() => void)[] = []
let running = 0
async function withHttpConnection<T>(work: () => Promise<T>) {
  if (running >= MAX_HTTP) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

class Client {
  socket: Socket | null = null
  private readonly options: ReconnectStormClientOptions
  private readonly channels: readonly string[]
  private readonly address: string

  constructor(options: ReconnectStormClientOptions) {
    this.options = options
    this.channels = [`presence-user.${options.member}`, 'presence-here']
    this.address = `127.${1 + (options.number >> 16)}.${(options.number >> 8) & 255}.${options.number & 255}`
  }

  /**
   * Connects the client and subscribes to its channels. Tries again after a failure, until `isOver` returns
   * true.
   */
  async enter(isOver: () => boolean) {
    while (!isOver()) {
      try {
        return await this.tryToEnter()
      } catch (error) {
        errors++
        if (reasons.size < 5) reasons.add((error as Error).message)
        this.socket?.destroy()
        await sleep(RETRY_DELAY)
      }
    }
  }

  private dial() {
    const port = ports[this.options.process]!
    return connect({ port, host: '127.0.0.1', localAddress: this.address, noDelay: true })
  }

  private async tryToEnter() {
    const socket = this.dial()
    this.socket = socket
    const missing = new Set(['posts', ...this.channels])
    await new Promise<void>((resolve, reject) => {
      const onFrame = (head: string) => {
        if (head.includes(`"${STORM_BENCH_COUNTED_EVENT}"`)) heard++
        else if (head.includes('"pusher:ping"')) socket.write(pong)
        else if (head.includes('"pusher:connection_established"')) this.subscribe(head).catch(reject)
        else if (head.includes('"pusher_internal:subscription_succeeded"')) {
          missing.delete(/^\{"channel":"([^"]+)"/.exec(head)?.[1] ?? '')
          if (!missing.size) resolve()
        } else if (/"pusher:(subscription_)?error"/.test(head)) reject(new Error(head))
      }
      socket.on('connect', () => socket.write(handshake))
      socket.on('data', createFrameReader(onFrame, reject))
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('The server closed the WebSocket')))
    })
  }

  private async subscribe(head: string) {
    const socketId = /socket_id\\":\\"([\d.]+)/.exec(head)![1]!
    this.send('pusher:subscribe', { channel: 'posts' })
    await withHttpConnection(async () => {
      const http = this.dial()
      try {
        const body = { socket_id: socketId, channel_name: this.channels }
        const request = encodeBenchHttpRequest('POST', '/my-broadcast-auth', { who: this.options.who, body })
        const signatures = JSON.parse(await ask(http, request)) as object[]
        this.socket!.cork()
        for (const [index, channel] of this.channels.entries())
          this.send('pusher:subscribe', { channel, ...signatures[index] })
        this.socket!.uncork()
      } finally {
        http.destroy()
      }
    })
  }

  private send(event: string, data: object) {
    this.socket!.write(encodeBenchWebSocketTextFrame(JSON.stringify({ event, data })))
  }
}

/** Sends an HTTP request and resolves to the body of the response. Rejects if the status is not 200. */
const ask = (socket: Socket, request: Buffer) =>
  new Promise<string>((resolve, reject) => {
    let received = ''
    const fail = () => reject(new Error('The server closed an HTTP connection'))
    const read = (chunk: Buffer) => {
      received += chunk.toString('latin1')
      const end = received.indexOf('\r\n\r\n')
      const size = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1])
      if (end < 0 || received.length < end + 4 + size) return
      socket.off('data', read).off('close', fail).off('error', reject)
      const body = Buffer.from(received.slice(end + 4), 'latin1').toString()
      if (received.startsWith('HTTP/1.1 200')) resolve(body)
      else reject(new Error(`${received.slice(9, 12)} ${body}`))
    }
    socket.on('data', read).on('close', fail).on('error', reject)
    socket.write(request)
  })

/**
 * Returns a function that splits received bytes into WebSocket frames, and calls `onFrame` with the first
 * bytes of each frame.
 */
function createFrameReader(onFrame: (head: string) => void, onRefusal: (error: Error) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let isOpen = false
  let skip = 0
  return (given: Buffer) => {
    bytes += given.length
    if (skip >= given.length) return void (skip -= given.length)
    let chunk = rest.length ? Buffer.concat([rest, given]) : given.subarray(skip)
    skip = 0
    rest = chunk
    if (!isOpen) {
      const end = chunk.indexOf('\r\n\r\n')
      if (end < 0) return
      const status = chunk.toString('latin1', 9, 12)
      if (status !== '101') return onRefusal(new Error(`The handshake was answered with ${status}`))
      isOpen = true
      chunk = chunk.subarray(end + 4)
    }
    let at = 0
    while (at + 2 <= chunk.length) {
      const short = chunk[at + 1]!
      const header = short < 126 ? 2 : short === 126 ? 4 : 10
      if (at + header > chunk.length) break
      const size =
        short < 126
          ? short
          : short === 126
            ? chunk.readUInt16BE(at + 2)
            : Number(chunk.readBigUInt64BE(at + 2))
      const head = Math.min(size, HEAD)
      if (at + header + head > chunk.length) break
      onFrame(chunk.toString('latin1', at + header, at + header + head))
      at += header + size
    }
    skip = Math.max(0, at - chunk.length)
    rest = Buffer.from(chunk.subarray(Math.min(at, chunk.length)))
  }
}

async function connectAll(patience: number): Promise<ReconnectStormResult> {
  bytes = 0
  errors = 0
  reasons.clear()
  const start = performance.now()
  const since = () => (performance.now() - start) / 1000
  const times: number[] = []
  await Promise.all(
    clients.map(async (client) => {
      await client.enter(() => since() > patience)
      if (since() <= patience) times.push(since())
    }),
  )
  times.sort((a, b) => a - b)
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  const missing = clients.length - times.length
  return { seconds: at(1), half: at(0.5), most: at(0.99), errors, reasons: [...reasons], bytes, missing }
}

async function waitForCut() {
  while (clients.some(({ socket }) => socket && !socket.closed)) await sleep(20)
}

async function hear(events: number, patience: number) {
  const wanted = events * clients.length
  for (const end = performance.now() + patience * 1000; performance.now() < end; await sleep(5))
    if (heard >= wanted) return true
  return false
}

async function execute(command: ReconnectStormCommand) {
  switch (command.do) {
    case 'create':
      clients = command.clients.map((options) => new Client(options))
      return 'created'
    case 'connect':
      ports = command.ports
      return connectAll(command.patience)
    case 'hear':
      return hear(command.events, command.patience)
    case 'waitForCut':
      await waitForCut()
      return 'cut'
  }
}

process.on('message', async (command: ReconnectStormCommand) => process.send!(await execute(command)))
process.send!('ready')
