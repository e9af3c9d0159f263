import { connect, type Socket } from 'node:net'
import { mqtt, type Protocol, plainWebSocket, pusher, redis } from './protocols.ts'

// Subscribers of one server, and its publisher, in a process of their own. All messages have the same length,
// and are longer than all other frames of a server. So the process counts frames by their length.

export interface Opening {
  protocol: 'pusher' | 'publicChat' | 'plainWebSocket' | 'redis' | 'mqtt'
  port: number
  sockets: number
  /** The bytes that publish one message. */
  message: Buffer
  /** The bytes that each subscriber must receive. */
  payload: string
}
export type Order =
  | ({ do: 'open' } & Opening)
  | { do: 'flood'; seconds: number; outstanding: number }
  | { do: 'pace'; seconds: number; perSecond: number }
/** Milliseconds from publishing to arriving, of every message at every twentieth socket. */
export interface Paced {
  p50: number
  p99: number
  most: number
}
export interface Flooded {
  messages: number
  seconds: number
}

const AT_ONCE = 100
const PATIENCE = 30_000

let opening: Opening
/** How many subscribers have heard each message of the order at hand. */
let heardBy: number[] = []
let counts = new Uint32Array(0)
let lines: Socket[] = []
let arrived = (_message: number, _socket: number) => {}
let complete = (_message: number) => {}

const protocolOf = ({ protocol, payload }: Opening): Protocol =>
  ({ pusher: pusher(), publicChat: pusher('chat'), redis: redis(payload), plainWebSocket, mqtt })[protocol]

async function open(given: Opening) {
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

/** Lines for one order: those that wait long without a request are closed. */
async function publisher({ port, ...given }: Opening) {
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

/** A line that has said hello, once it is welcome. */
const welcomed = (port: number, hello: Buffer, isWelcome: (heard: string) => boolean) =>
  new Promise<Socket>((resolve, reject) => {
    // All sockets read into one buffer, which costs half as much: each reading is handled before the next.
    const onread = {
      buffer: arrivals,
      callback: (size: number) => socket.emit('data', arrivals.subarray(0, size)),
    }
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, onread }, () => {
      if (hello.length) socket.write(hello)
      else resolve(socket)
    })
    let heard = ''
    const listen = (chunk: Buffer) => {
      heard += chunk.toString('latin1')
      if (!isWelcome(heard)) return
      socket.off('data', listen)
      resolve(socket)
    }
    if (hello.length) socket.on('data', listen)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`The server closed a line: ${heard.slice(-200)}`)))
  })

/** Cuts what comes into frames: `hear` is told of each message, `other` of whatever else is said. */
function framesOf(frameSize: Protocol['frameSize'], size: number, hear: () => void, other: () => void) {
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
  const by = (heardBy[message] ?? 0) + 1
  heardBy[message] = by
  if (by === counts.length) complete(message)
}

/** Keeps so many messages on their way: the next leaves when one has reached everybody. */
async function flood(publish: () => void, seconds: number, outstanding: number): Promise<Flooded> {
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
 * One socket of this many is read while time is taken, because reading from all takes longer than writing to
 * them. The others are read afterwards.
 */
const SAMPLE = 20

async function pace(publish: () => void, seconds: number, perSecond: number): Promise<Paced> {
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

async function obey(order: Order) {
  if (order.do === 'open') return open(order)
  heardBy = []
  counts.fill(0)
  const { publish, close } = await publisher(opening)
  const done = await (order.do === 'flood'
    ? flood(publish, order.seconds, order.outstanding)
    : pace(publish, order.seconds, order.perSecond))
  close()
  return done
}

process.on('message', async (order: Order) => process.send!((await obey(order)) ?? 'open'))
process.send!('ready')
