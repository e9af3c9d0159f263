import { createHash, createHmac } from 'node:crypto'

// The parts of the protocols that a subscriber and a publisher need, and no more: the client costs the same
// for every server that it measures.

export interface Protocol {
  /** The bytes that a subscriber sends once it is connected. */
  hello: Buffer
  /** Whether it is subscribed, by all that came so far, as Latin-1. */
  isWelcome: (heard: string) => boolean
  /** Bytes of the frame that begins at `at`, its head included; 0 where too little of it is there to know. */
  frameSize: (chunk: Buffer, at: number) => number
  /** The answer to a frame that is no message, if there is one. */
  answer?: Buffer
  publisher: {
    hello: Buffer
    isWelcome: (heard: string) => boolean
    /** Lines that publish in turn: over HTTP one waits for its answer. */
    lines: number
  }
}

const CHANNEL = 'bench'
const nothing = Buffer.alloc(0)
const upgrade = (path: string) =>
  Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: Upgrade\r\n` +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )

/** A text message of a client (RFC 6455, 5.2); its mask is all zeros, which leaves the text as it is. */
export function masked(text: string) {
  const body = Buffer.from(text)
  const size =
    body.length < 126
      ? Buffer.from([0x80 | body.length])
      : Buffer.from([0xfe, body.length >> 8, body.length & 255])
  return Buffer.concat([Buffer.from([0x81]), size, Buffer.alloc(4), body])
}

function webSocketFrame(chunk: Buffer, at: number) {
  const left = chunk.length - at
  if (left < 2) return 0
  const size = chunk[at + 1]!
  if (size < 126) return 2 + size
  return left < 4 ? 0 : 4 + chunk.readUInt16BE(at + 2)
}

export const pusher = (channel = CHANNEL): Protocol => ({
  hello: Buffer.concat([
    upgrade('/app/engawa?protocol=7'),
    masked(JSON.stringify({ event: 'pusher:subscribe', data: { channel } })),
  ]),
  isWelcome: (heard) => heard.includes('subscription_succeeded'),
  frameSize: webSocketFrame,
  answer: masked(JSON.stringify({ event: 'pusher:pong', data: {} })),
  publisher: { hello: nothing, isWelcome: () => true, lines: 8 },
})

export const plainWebSocket: Protocol = {
  hello: upgrade('/'),
  isWelcome: (heard) => heard.includes('\r\n\r\n'),
  frameSize: webSocketFrame,
  publisher: { hello: upgrade('/publish'), isWelcome: (heard) => heard.includes('\r\n\r\n'), lines: 1 },
}

const resp = (...words: string[]) =>
  Buffer.from(
    `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`,
  )
export const redis = (payload: string): Protocol => {
  const size = resp('message', CHANNEL, payload).length
  return {
    hello: resp('SUBSCRIBE', CHANNEL),
    isWelcome: (heard) => heard.endsWith(':1\r\n'),
    frameSize: () => size,
    publisher: { hello: nothing, isWelcome: () => true, lines: 1 },
  }
}

/** A packet of MQTT 3.1.1: its kind, the length of the rest, the rest. */
function packet(kind: number, ...parts: (Buffer | string)[]) {
  const rest = Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.concat([short(Buffer.byteLength(part)), Buffer.from(part)]) : part,
    ),
  )
  const length: number[] = []
  for (let left = rest.length; left > 0 || !length.length; left >>= 7)
    length.push((left & 127) | (left > 127 ? 128 : 0))
  return Buffer.concat([Buffer.from([kind, ...length]), rest])
}
const short = (value: number) => Buffer.from([value >> 8, value & 255])

function mqttFrame(chunk: Buffer, at: number) {
  let size = 0
  for (let n = 1; n < 5; n++) {
    if (at + n >= chunk.length) return 0
    size += (chunk[at + n]! & 127) << (7 * (n - 1))
    if (chunk[at + n]! < 128) return 1 + n + size
  }
  throw new Error('A frame of MQTT is broken')
}

const mqttConnect = packet(0x10, 'MQTT', Buffer.from([4, 2]), short(0), '')
export const mqtt: Protocol = {
  hello: Buffer.concat([mqttConnect, packet(0x82, short(1), CHANNEL, Buffer.from([0]))]),
  isWelcome: (heard) => heard.length >= 9,
  frameSize: mqttFrame,
  publisher: { hello: mqttConnect, isWelcome: (heard) => heard.length >= 4, lines: 1 },
}

// ── Publishing ──────────────────────────────────────────────────────────────

/** An event through Pusher's HTTP API, signed. */
export function pusherEvent(secret: string, data: string) {
  const body = JSON.stringify({ name: 'MessageSent', channel: CHANNEL, data })
  const md5 = createHash('md5').update(body).digest('hex')
  const path = '/apps/engawa/events'
  const query = `auth_key=engawa&auth_timestamp=${Math.floor(Date.now() / 1000)}&auth_version=1.0&body_md5=${md5}`
  const signature = createHmac('sha256', secret).update(`POST\n${path}\n${query}`).digest('hex')
  const head = `POST ${path}?${query}&auth_signature=${signature} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n`
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}
export const redisMessage = (payload: string) => resp('PUBLISH', CHANNEL, payload)
export const mqttMessage = (payload: string) => packet(0x30, CHANNEL, Buffer.from(payload))
