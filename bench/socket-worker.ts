import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type BenchProtocol,
  createClientEventBenchProtocol,
  createPusherBenchProtocol,
  createRedisBenchProtocol,
  mqttBenchProtocol,
  PUSHER_BATCH_BENCH_CHANNEL,
  plainWebSocketBenchProtocol,
  renewed,
} from './protocols.ts'
import type {
  BenchDeliveryDelayPercentiles,
  OpenBenchSocketsCommand,
  SocketBenchWorkerCommand,
  SocketFloodBenchResult,
} from './socket-commands.ts'

// This program is a worker process of the bench: it has the subscribers and the publisher of one server, and
// measures the delivery of messages. All messages have the same length, and are longer than any other
// frame of a server. So the process recognises a message by its length.

const AT_ONCE = 100
const PATIENCE = 30_000

let opening: OpenBenchSocketsCommand
/** For each message of the current command, the number of subscribers that have received it. */
let receivers: number[] = []
/** For each subscriber, the number of messages that it has received in the current command. */
let counts = new Uint32Array(0)
let lines: Socket[] = []
let arrived = (_message: number, _socket: number) => {}
let complete = (_message: number) => {}

const protocolOf = ({ protocol, payload, secret = '' }: OpenBenchSocketsCommand): BenchProtocol =>
  ({
    clientEvents: createClientEventBenchProtocol(secret),
    pusher: createPusherBenchProtocol(),
    pusherBatches: createPusherBenchProtocol(PUSHER_BATCH_BENCH_CHANNEL),
    publicChat: createPusherBenchProtocol('chat'),
    redis: createRedisBenchProtocol(payload),
    plainWebSocket: plainWebSocketBenchProtocol,
    mqtt: mqttBenchProtocol,
  })[protocol]

async function open(given: OpenBenchSocketsCommand) {
  opening = given
  const { sockets, port, payload } = given
  const { hello, isWelcome, nextHello, answer, ...protocol } = protocolOf(given)
  counts = new Uint32Array(sockets)
  lines = []
  for (let n = 0; n < sockets; n += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, sockets - n) }, async (_, m) => {
        const socket = await welcomed(port, hello, isWelcome, nextHello)
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
 * Opens the connections of the publisher, and returns functions to publish and to close them. Each command
 * opens new connections, because the server closes idle ones.
 */
async function publisher({ port, ...given }: OpenBenchSocketsCommand) {
  if (given.protocol === 'clientEvents') return createSubscriberPublisher(Buffer.from(given.message))
  const { hello, isWelcome, lines: number } = protocolOf({ port, ...given }).publisher
  const batches = [given.message, ...(given.batches ?? [])].map((bytes) => Buffer.from(bytes))
  const open = await Promise.all(Array.from({ length: number }, () => welcomed(port, hello, isWelcome)))
  for (const line of open)
    line.on('data', (chunk: Buffer) => {
      const refusal = /^HTTP\/1.1 (?!200)[\s\S]*|^-[\s\S]*/.exec(chunk.toString('latin1'))
      if (refusal) throw new Error(`Publishing was refused: ${refusal[0]}`)
    })
  let next = 0
  const write = (count: number) => void open[next++ % open.length]!.write(renewed(given, batches[count - 1]!))
  let waiting = 0
  const writeAll = () => {
    for (; waiting > 0; waiting -= batches.length) write(Math.min(waiting, batches.length))
    waiting = 0
  }
  const publishInBatch = () => {
    if (++waiting === 1) setImmediate(writeAll)
  }
  return {
    publish: given.batches ? publishInBatch : () => write(1),
    close: () => open.map((line) => line.destroy()),
  }
}

/**
 * Returns a publisher that sends each message over the connection of the next subscriber. A subscriber may
 * send 10 a second, so the function first waits until the second of the previous command is over.
 */
async function createSubscriberPublisher(message: Buffer) {
  await sleep(1100)
  let next = 0
  return { publish: () => void lines[next++ % lines.length]!.write(message), close: () => [] }
}

const arrivals = Buffer.alloc(2 ** 16)

/**
 * Opens a connection, sends the first message of the protocol, and resolves to the socket when the server has
 * accepted it.
 */
const welcomed = (
  port: number,
  hello: Buffer,
  isWelcome: (receivedText: string) => boolean,
  nextHello?: (receivedText: string) => Buffer | null,
) =>
  new Promise<Socket>((resolve, reject) => {
    // Lets all sockets read into the same buffer, which halves the cost. This is safe because each chunk is
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
    let hasSentNext = false
    const listen = (chunk: Buffer) => {
      receivedText += chunk.toString('latin1')
      const next = hasSentNext ? null : nextHello?.(receivedText)
      if (next) {
        hasSentNext = true
        socket.write(next)
      }
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
  if (opening.protocol === 'clientEvents') return hearClientEvent()
  const message = counts[socket]!++
  arrived(message, socket)
  const by = (receivers[message] ?? 0) + 1
  receivers[message] = by
  if (by === counts.length) complete(message)
}

/** The number of client events that all subscribers together have received in the current command. */
let clientEvents = 0

/**
 * Counts a received client event. No subscriber receives its own message, so subscribers receive different
 * messages. A message counts as complete when enough events have arrived for one more message.
 */
function hearClientEvent() {
  if (++clientEvents % (counts.length - 1) === 0) complete(clientEvents / (counts.length - 1))
}

/**
 * Publishes messages for `seconds`, at most `most` of them. At most `outstanding` messages are on their way
 * at once: the next one is published when a message has reached every subscriber.
 */
async function flood(
  publish: () => void,
  seconds: number,
  outstanding: number,
  most: number,
): Promise<SocketFloodBenchResult> {
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
        if (performance.now() - start < seconds * 1000 && sent < most) send()
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
 * While the delays are measured, only every `SAMPLE`th socket is read, because reading all sockets takes
 * longer than writing to them. The other sockets are read afterwards.
 */
const SAMPLE = 20

async function pace(
  publish: () => void,
  seconds: number,
  perSecond: number,
): Promise<BenchDeliveryDelayPercentiles> {
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

/** Returns the maximum number of messages of a command: for client events 10 for each subscriber. */
const mostMessages = () =>
  opening.protocol === 'clientEvents' ? counts.length * 10 : Number.POSITIVE_INFINITY

async function execute(order: SocketBenchWorkerCommand) {
  if (order.do === 'open') return open(order)
  receivers = []
  counts.fill(0)
  clientEvents = 0
  const { publish, close } = await publisher(opening)
  const done = await (order.do === 'flood'
    ? flood(publish, order.seconds, order.outstanding, mostMessages())
    : pace(publish, order.seconds, order.perSecond))
  close()
  return done
}

process.on('message', async (order: SocketBenchWorkerCommand) =>
  process.send!((await execute(order)) ?? 'open'),
)
process.send!('ready')
