import { connect, type Socket } from 'node:net'
import { type Protocol, type ProtocolName, protocols, publication } from './protocols.ts'

// A process with the subscribers and the publisher of one server. All messages have the same length and are
// longer than any other frame of a server, so a message is known by its length.

export interface Opening {
  protocol: ProtocolName
  port: number
  sockets: number
  /** Each subscriber receives this. */
  payload: string
  /** Signs requests of Pusher's HTTP API. */
  secret?: string
}
export type Command =
  | ({ do: 'open' } & Opening)
  | { do: 'flood'; seconds: number; outstanding: number }
  | { do: 'pace'; seconds: number; perSecond: number }
export interface Flood {
  messages: number
  seconds: number
}
/** From sending to receiving a message, in ms, at every twentieth socket. */
export interface Delays {
  p50: number
  p99: number
  most: number
}

/** How many sockets are opened at once. */
const AT_ONCE = 100
/** After which time messages count as lost, in ms. */
const PATIENCE = 30_000
/**
 * While delays are measured, every twentieth socket is read, because reading all takes longer than writing to
 * them. The others are read afterwards.
 */
const SAMPLE = 20

let opening: Opening
let lines: Socket[] = []
/** How many subscribers have each message of a command, and how many messages each subscriber has. */
let receivers: number[] = []
let counts = new Uint32Array(0)
let arrived = (_message: number, _socket: number) => {}
let complete = () => {}

async function open(given: Opening) {
  opening = given
  const { sockets, port, payload } = given
  const { hello, isWelcome, frameSize, answer } = protocols[given.protocol](payload)
  counts = new Uint32Array(sockets)
  lines = []
  const subscribe = async (n: number) => {
    const socket = await dial(port, hello, isWelcome)
    lines[n] = socket
    socket.on('close', () => {
      throw new Error('The server closed the connection of a subscriber')
    })
    const other = () => answer && socket.write(answer)
    socket.on(
      'data',
      frames(frameSize, Buffer.byteLength(payload), () => hear(n), other),
    )
  }
  for (let n = 0; n < sockets; n += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, sockets - n) }, (_, m) => subscribe(n + m)))
  return 'open'
}

/** Each command has connections of its own, because the server closes idle ones. */
async function publisher({ port, protocol, payload, secret = '' }: Opening) {
  const { hello, connections } = protocols[protocol](payload).publisher
  const isWelcome = (received: string) => received.includes('\r\n\r\n')
  const open = await Promise.all(Array.from({ length: connections }, () => dial(port, hello, isWelcome)))
  for (const line of open)
    line.on('data', (chunk: Buffer) => {
      const refusal = /^HTTP\/1.1 (?!200)[\s\S]*|^-[\s\S]*/.exec(chunk.toString('latin1'))
      if (refusal) throw new Error(`A message was refused: ${refusal[0]}`)
    })
  let next = 0
  return {
    publish: () => void open[next++ % open.length]!.write(publication(protocol, payload, secret)),
    close: () => open.map((line) => line.destroy()),
  }
}

const arrivals = Buffer.alloc(2 ** 16)

/** Resolves to the connection when the server has accepted the first message. */
const dial = (port: number, hello: Buffer, isWelcome: Protocol['isWelcome']) =>
  new Promise<Socket>((resolve, reject) => {
    // All sockets read into one buffer, which halves the cost: each chunk is handled before the next is read.
    const onread = {
      buffer: arrivals,
      callback: (size: number) => socket.emit('data', arrivals.subarray(0, size)),
    }
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, onread }, () => {
      if (hello.length) socket.write(hello)
      else resolve(socket)
    })
    let received = ''
    const listen = (chunk: Buffer) => {
      received += chunk.toString('latin1')
      if (!isWelcome(received)) return
      socket.off('data', listen)
      resolve(socket)
    }
    if (hello.length) socket.on('data', listen)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`The server closed a connection: ${received.slice(-200)}`)))
  })

/** Splits received bytes into frames: messages of at least `size` bytes, and others. */
function frames(frameSize: Protocol['frameSize'], size: number, hear: () => void, other: () => void) {
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
  if (by === counts.length) complete()
}

/** Sends the next message when one has reached every subscriber; `outstanding` are on their way at once. */
async function flood(publish: () => void, seconds: number, outstanding: number): Promise<Flood> {
  const start = performance.now()
  let sent = 0
  let completed = 0
  await inTime(
    new Promise<void>((resolve) => {
      const next = () => {
        sent++
        publish()
      }
      complete = () => {
        completed++
        if (performance.now() - start < seconds * 1000) next()
        else if (completed === sent) resolve()
      }
      for (let n = 0; n < outstanding; n++) next()
    }),
    () => `${completed} of ${sent} messages reached everybody`,
  )
  return { messages: completed, seconds: (performance.now() - start) / 1000 }
}

async function pace(publish: () => void, seconds: number, perSecond: number): Promise<Delays> {
  const total = seconds * perSecond
  const asleep = lines.filter((_, socket) => socket % SAMPLE !== 0)
  const sent: number[] = []
  const times = new Float64Array(total * (counts.length - asleep.length))
  let arrivals = 0
  for (const line of asleep) line.pause()
  arrived = (message, socket) => {
    if (socket % SAMPLE !== 0) return
    times[arrivals++] = performance.now() - sent[message]!
    if (arrivals === times.length) for (const line of asleep) line.resume()
  }
  await inTime(
    new Promise<void>((resolve) => {
      let completed = 0
      complete = () => ++completed === total && resolve()
      const timer = setInterval(() => {
        sent.push(performance.now())
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

async function execute(command: Command) {
  if (command.do === 'open') return open(command)
  receivers = []
  counts.fill(0)
  const { publish, close } = await publisher(opening)
  const done = await (command.do === 'flood'
    ? flood(publish, command.seconds, command.outstanding)
    : pace(publish, command.seconds, command.perSecond))
  close()
  return done
}

process.on('message', async (command: Command) => process.send!(await execute(command)))
process.send!('ready')
