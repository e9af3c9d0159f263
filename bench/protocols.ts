import { createHash, createHmac } from 'node:crypto'

// This module has the parts of each real-time protocol that a subscriber and a publisher need. The bench uses
// the same small client for all servers, so that the client costs the same for each of them.

export interface BenchProtocol {
  /** The bytes that a subscriber sends once it is connected. */
  hello: Buffer
  /**
   * Returns whether `receivedText` contains this protocol's confirmation of the subscription. `receivedText`
   * is everything that the subscriber has received so far, as Latin-1.
   */
  isWelcome: (receivedText: string) => boolean
  /**
   * Returns the second message of the subscriber, which it sends once; null as long as the server has not
   * sent what that message depends on.
   */
  nextHello?: (receivedText: string) => Buffer | null
  /**
   * Returns the size in bytes of the frame that begins at offset `at`, with its header; 0 if the header is
   * incomplete.
   */
  frameSize: (chunk: Buffer, at: number) => number
  /**
   * The bytes with which a subscriber answers a frame that is not a message, such as a ping, if the protocol
   * needs an answer.
   */
  answer?: Buffer
  publisher: {
    hello: Buffer
    isWelcome: (receivedText: string) => boolean
    /**
     * The number of connections over which the publisher sends in turn. HTTP needs several, because each
     * connection waits for its response.
     */
    lines: number
  }
}

/** The name of the real-time events that the clients of `storm-worker.ts` count. */
export const STORM_BENCH_COUNTED_EVENT = 'Heard'
const CHANNEL = 'bench'
/**
 * The channel of the events that are sent in batches. Its name is as long as that of the other channel, so
 * that the messages are equally long.
 */
export const PUSHER_BATCH_BENCH_CHANNEL = 'batch'
const nothing = Buffer.alloc(0)
const upgrade = (path: string) =>
  Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: Upgrade\r\n` +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )

/**
 * Returns the WebSocket frame of a text message from a client to a server (RFC 6455, 5.2). Its mask is all
 * zeros, so that the text stays unchanged.
 */
export function encodeBenchWebSocketTextFrame(text: string) {
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

export const createPusherBenchProtocol = (channel = CHANNEL): BenchProtocol => ({
  hello: Buffer.concat([
    upgrade('/app/engawa?protocol=7'),
    encodeBenchWebSocketTextFrame(JSON.stringify({ event: 'pusher:subscribe', data: { channel } })),
  ]),
  isWelcome: (receivedText) => receivedText.includes('subscription_succeeded'),
  frameSize: webSocketFrame,
  answer: encodeBenchWebSocketTextFrame(JSON.stringify({ event: 'pusher:pong', data: {} })),
  publisher: { hello: nothing, isWelcome: () => true, lines: 8 },
})

const CLIENT_EVENT_CHANNEL = `private-${CHANNEL}`

/**
 * Returns the protocol for Pusher's client events: each subscriber signs its subscription with this secret,
 * and may publish.
 */
export const createClientEventBenchProtocol = (secret: string): BenchProtocol => ({
  ...createPusherBenchProtocol(),
  hello: upgrade('/app/engawa?protocol=7'),
  nextHello(receivedText) {
    const id = /socket_id\\":\\"([\d.]+)/.exec(receivedText)?.[1]
    if (!id) return null
    const signature = createHmac('sha256', secret).update(`${id}:${CLIENT_EVENT_CHANNEL}`).digest('hex')
    const data = { channel: CLIENT_EVENT_CHANNEL, auth: `engawa:${signature}` }
    return encodeBenchWebSocketTextFrame(JSON.stringify({ event: 'pusher:subscribe', data }))
  },
})

export const plainWebSocketBenchProtocol: BenchProtocol = {
  hello: upgrade('/'),
  isWelcome: (receivedText) => receivedText.includes('\r\n\r\n'),
  frameSize: webSocketFrame,
  publisher: {
    hello: upgrade('/publish'),
    isWelcome: (receivedText) => receivedText.includes('\r\n\r\n'),
    lines: 1,
  },
}

const resp = (...words: string[]) =>
  Buffer.from(
    `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`,
  )
export const createRedisBenchProtocol = (payload: string): BenchProtocol => {
  const size = resp('message', CHANNEL, payload).length
  return {
    hello: resp('SUBSCRIBE', CHANNEL),
    isWelcome: (receivedText) => receivedText.endsWith(':1\r\n'),
    frameSize: () => size,
    publisher: { hello: nothing, isWelcome: () => true, lines: 1 },
  }
}

/**
 * Returns the bytes of an MQTT 3.1.1 packet: the byte with its type, the length of the parts, and the parts.
 */
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
export const mqttBenchProtocol: BenchProtocol = {
  hello: Buffer.concat([mqttConnect, packet(0x82, short(1), CHANNEL, Buffer.from([0]))]),
  isWelcome: (receivedText) => receivedText.length >= 9,
  frameSize: mqttFrame,
  publisher: { hello: mqttConnect, isWelcome: (receivedText) => receivedText.length >= 4, lines: 1 },
}

// ── The encoding of the messages that publishers send ──────────────────────

/** Returns the bytes of a signed HTTP request that sends an event through Pusher's HTTP API. */
export const encodeBenchPusherPublishRequest = (secret: string, data: string) =>
  encodeSignedRequest(secret, 'events', { name: 'MessageSent', channel: CHANNEL, data })

/**
 * Returns the bytes of a signed HTTP request that sends `count` events at once through Pusher's HTTP API
 * (`batch_events`).
 */
export const encodeBenchPusherBatchPublishRequest = (
  secret: string,
  channel: string,
  data: string,
  count: number,
) =>
  encodeSignedRequest(secret, 'batch_events', {
    batch: Array.from({ length: count }, () => ({ name: 'MessageSent', channel, data })),
  })

function encodeSignedRequest(secret: string, call: string, content: object) {
  const body = JSON.stringify(content)
  const md5 = createHash('md5').update(body).digest('hex')
  return encodeSignedBody(secret, `/apps/engawa/${call}`, md5, body)
}

let requests = 0

/**
 * Signs a request of Pusher's HTTP API again, because each one counts once. Leaves other messages as they
 * are.
 */
export function renewed(
  { protocol, secret }: { protocol: string; secret?: string | undefined },
  message: Buffer,
) {
  if (!protocol.startsWith('pusher')) return message
  const [, path, md5, body] = /^POST (\S+)\?\S*body_md5=(\w+)[\s\S]*?\r\n\r\n([\s\S]*)$/.exec(
    message.toString(),
  )!
  return encodeSignedBody(secret!, path!, md5!, body!)
}

function encodeSignedBody(secret: string, path: string, md5: string, body: string) {
  const query = `auth_key=engawa&auth_timestamp=${Math.floor(Date.now() / 1000)}&auth_version=1.0&body_md5=${md5}&nonce=${process.pid}.${requests++}`
  const signature = createHmac('sha256', secret).update(`POST\n${path}\n${query}`).digest('hex')
  const head = `POST ${path}?${query}&auth_signature=${signature} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n`
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}
/** Returns the WebSocket frame of a Pusher client event with `data`. */
export const encodeBenchClientEventFrame = (data: string) =>
  encodeBenchWebSocketTextFrame(
    JSON.stringify({ event: 'client-MessageSent', channel: CLIENT_EVENT_CHANNEL, data }),
  )
export const encodeBenchRedisPublishCommand = (payload: string) => resp('PUBLISH', CHANNEL, payload)
export const encodeBenchMqttPublishPacket = (payload: string) => packet(0x30, CHANNEL, Buffer.from(payload))
