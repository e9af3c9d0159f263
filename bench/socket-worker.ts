import { connect, type Socket } from 'node:net'
import {
  type BenchProtocol,
  createPusherBenchProtocol,
  createRedisBenchProtocol,
  mqttBenchProtocol,
  webSocketBenchProtocol,
} from './protocols.ts'

// A worker process of the bench: it has the subscribers and the publisher of one server, and measures the
// delivery of messages. All messages have the same length, and are longer than any other frame of a server.
// So the process recognises a message by its length.

export interface OpenSocketsCommand {
  protocol: 'pusher' | 'publicChat' | 'plainWebSocket' | 'redis' | 'mqtt'
  port: number
  sockets: number
  /** The bytes that publish one message. */
  message: Buffer
  /** The bytes that each subscriber must receive. */
  payload: string
}
export type SocketWorkerCommand =
  | ({ do: 'open' } & OpenSocketsCommand)
  | { do: 'flood'; seconds: number; outstanding: number }
  | { do: 'pace'; seconds: number; perSecond: number }
/**
 * Delays from publishing to receiving a message, in milliseconds. They are measured at every twentieth
 * socket.
 */
export interface DeliveryDelayPercentiles {
  p50: number
  p99: number
  most: number
}
export interface FloodResult {
  messages: number
  seconds: number
}

const AT_ONCE = 100
const PATIENCE = 30_000

let opening: OpenSocketsCommand
/** The number of subscribers that have received each message of the current command. */
let receivers: number[] = []
/** The number of messages that each subscriber has received in the current command. */
let counts = new Uint32Array(0)
let lines: Socket[] = []
let arrived = (_message: number, _socket: number) => {}
let complete = (_message: number) => {}

const protocolOf = ({ protocol, payload }: OpenSocketsCommand): BenchProtocol =>
  ({
    pusher: createPusherBenchProtocol(),
    publicChat: createPusherBenchProtocol('chat'),
    redis: createRedisBenchProtocol(payload),
    plainWebSocket: webSocketBenchProtocol,
    mqtt: mqttBenchProtocol,
  })[protocol]

async function open(given: OpenSocketsCommand) {
  opening = given
  const { sockets, port, payload } = given
  const { hello, isWelcome, answer, ...protocol } = protocolOf(given)
  counts = new Uint32Array(sockets)
  lines = []
  for (let n = 0; n < sockets; n += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, sockets - n) }, async (_, m) => {
        const socket = await welcomed(port, hello, isWelcome)
        lines[n + m] = socket
        socket.on('close', () => {
          throw new Error('The server closed the line of a subscriber')
        })
        const other = () => answer && socket.write(answer)
        socket.on(
          'data',
          framesOf(protocol.frameSize, Buffer.byteLength(payload), () => hear(n + m), other),
        )
      }),
    )
}

/**
 * Opens the connections of the publisher. Each command opens new ones, because the server closes idle
 * connections.
 */
async function publisher({ port, ...given }: OpenSocketsCommand) {
  const { hello, isWelcome, lines: number } = protocolOf({ port, ...given }).publisher
  const message = Buffer.from(given.message)
  const open = await Promise.all(Array.from({ length: number }, () => welcomed(port, hello, isWelcome)))
  for (const line of open)
    line.on('data', (chunk: Buffer) => {
      const refusal = /^HTTP\/1.1 (?!200)[\s\S]*|^-[\s\S]*/.exec(chunk.toString('latin1'))
      if (refusal) throw new Error(`Publishing was refused: ${refusal[0]}`)
    })
  let next = 0
  return {
    publish: () => void open[next++ % open.length]!.write(message),
    close: () => open.map((line) => line.destroy()),
  }
}

const arrivals = Buffer.alloc(2 ** 16)

/** Opens a connection, sends the hello of the protocol, and resolves when the server has accepted it. */
const welcomed = (port: number, hello: Buffer, isWelcome: (receivedText: string) => boolean) =>
  new Promise<Socket>((resolve, reject) => {
    // All sockets read into the same buffer, which halves the cost. This is safe because each chunk is
    // handled before the next one is read.
    const onread = {
      buffer: arrivals,
      callback: (size: number) => socket.emit('data', arrivals.subarray(0, size)),
    }
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, onread }, () => {
      if (hello.length) socket.write(hello)
      else resolve(socket)
    })
    let receivedText = ''
    const listen = (chunk: Buffer) => {
      receivedText += chunk.toString('latin1')
      if (!isWelcome(receivedText)) return
      socket.off('data', listen)
      resolve(socket)
    }
    if (hello.length) socket.on('data', listen)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`The server closed a line: ${receivedText.slice(-200)}`)))
  })

/**
 * Returns a function that splits received bytes into frames. It calls `hear` for each frame of at least
 * `size` bytes (a message), and `other` for each shorter frame.
 */
function framesOf(frameSize: BenchProtocol['frameSize'], size: number, hear: () => void, other: () => void) {
  let left = 0
  let rest: Buffer | null = null
  return (given: Buffer) => {
    const chunk = rest ? Buffer.concat([rest, given]) : given
    rest = null
    let at = Math.min(left, chunk.length)
    left -= at
    while (at < chunk.length) {
      const frame = frameSize(chunk, at)
      if (!frame) return void (rest = Buffer.from(chunk.subarray(at)))
      if (frame >= size) hear()
      else other()
      left = Math.max(0, at + frame - chunk.length)
      at += frame
    }
  }
}

function hear(socket: number) {
  const message = counts[socket]!++
  arrived(message, socket)
  const by = (receivers[message] ?? 0) + 1
  receivers[message] = by
  if (by === counts.length) complete(message)
}

/**
 * Publishes messages for `seconds`. At most `outstanding` messages are on their way at once: the next one is
 * published when a message has reached every subscriber.
 */
async function flood(publish: () => void, seconds: number, outstanding: number): Promise<FloodResult> {
  const start = performance.now()
  let sent = 0
  let completed = 0
  await inTime(
    new Promise<void>((resolve) => {
      const send = () => {
        sent++
        publish()
      }
      complete = () => {
        completed++
        if (performance.now() - start < seconds * 1000) send()
        else if (completed === sent) resolve()
      }
      for (let n = 0; n < outstanding; n++) send()
    }),
    () => `${completed} of ${sent} messages reached everybody`,
  )
  return { messages: completed, seconds: (performance.now() - start) / 1000 }
}

const clock = () => Number(process.hrtime.bigint()) / 1e6

/**
 * One socket in `SAMPLE` is read while the delays are measured, because reading all sockets takes longer than
 * writing to them. The other sockets are read afterwards.
 */
const SAMPLE = 20

async function pace(
  publish: () => void,
  seconds: number,
  perSecond: number,
): Promise<DeliveryDelayPercentiles> {
  const total = seconds * perSecond
  const asleep = lines.filter((_, socket) => socket % SAMPLE !== 0)
  const sent: number[] = []
  const times = new Float64Array(total * (counts.length - asleep.length))
  let arrivals = 0
  for (const line of asleep) line.pause()
  arrived = (message, socket) => {
    if (socket % SAMPLE !== 0) return
    times[arrivals++] = clock() - sent[message]!
    if (arrivals === times.length) for (const line of asleep) line.resume()
  }
  await inTime(
    new Promise<void>((resolve) => {
      let completed = 0
      complete = () => ++completed === total && resolve()
      const timer = setInterval(() => {
        sent.push(clock())
        publish()
        if (sent.length === total) clearInterval(timer)
      }, 1000 / perSecond)
    }),
    () => `${arrivals} of ${times.length} messages arrived`,
  )
  arrived = () => {}
  times.sort()
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!
  return { p50: at(0.5), p99: at(0.99), most: times.at(-1)! }
}

async function inTime(work: Promise<void>, state: () => string) {
  const late = setTimeout(() => {
    throw new Error(`Messages were lost: ${state()}`)
  }, PATIENCE)
  await work
  clearTimeout(late)
}

async function execute(order: SocketWorkerCommand) {
  if (order.do === 'open') return open(order)
  receivers = []
  counts.fill(0)
  const { publish, close } = await publisher(opening)
  const done = await (order.do === 'flood'
    ? flood(publish, order.seconds, order.outstanding)
    : pace(publish, order.seconds, order.perSecond))
  close()
  return done
}

process.on('message', async (order: SocketWorkerCommand) => process.send!((await execute(order)) ?? 'open'))
process.send!('ready')
