import { createHash, createHmac } from 'node:crypto'

// The protocols, as far as a subscriber and a publisher need them. All servers are measured with one small
// client, so that it costs the same for each of them.

export interface Protocol {
  /** A subscriber sends this once it is connected. */
  hello: Buffer
  /** Whether everything received so far, as Latin-1, confirms the subscription. */
  isWelcome: (received: string) => boolean
  /** The bytes of the frame that begins at an offset, with its header; 0 if the header is incomplete. */
  frameSize: (chunk: Buffer, at: number) => number
  /** The answer to a frame that is no message, such as a ping, if the protocol needs one. */
  answer?: Buffer
  publisher: {
    hello: Buffer
    /** HTTP needs several connections, because each waits for its answer. */
    connections: number
  }
}

const CHANNEL = 'bench'
const nothing = Buffer.alloc(0)

const upgrade = (path: string) =>
  Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: Upgrade\r\n` +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )

/** A text message of a client (RFC 6455, 5.2). Its mask is all zeros, so the text stays unchanged. */
function textFrame(text: string) {
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

const pusher: Protocol = {
  hello: Buffer.concat([
    upgrade('/app/engawa?protocol=7'),
    textFrame(JSON.stringify({ event: 'pusher:subscribe', data: { channel: CHANNEL } })),
  ]),
  isWelcome: (received) => received.includes('subscription_succeeded'),
  frameSize: webSocketFrame,
  answer: textFrame(JSON.stringify({ event: 'pusher:pong', data: {} })),
  publisher: { hello: nothing, connections: 8 },
}

const webSocket: Protocol = {
  hello: upgrade('/'),
  isWelcome: (received) => received.includes('\r\n\r\n'),
  frameSize: webSocketFrame,
  publisher: { hello: upgrade('/publish'), connections: 1 },
}

function redis(payload: string): Protocol {
  const size = resp('message', CHANNEL, payload).length
  return {
    hello: resp('SUBSCRIBE', CHANNEL),
    isWelcome: (received) => received.endsWith(':1\r\n'),
    frameSize: () => size,
    publisher: { hello: nothing, connections: 1 },
  }
}

export const protocols = { pusher: () => pusher, webSocket: () => webSocket, redis }
export type ProtocolName = keyof typeof protocols

// ── What a publisher sends ──────────────────────────────────────────────────

let nonces = 0

/**
 * The bytes of one message. The server accepts a signature of Pusher's HTTP API once, so each message has a
 * new one.
 */
export function publication(protocol: ProtocolName, payload: string, secret: string) {
  if (protocol === 'redis') return resp('PUBLISH', CHANNEL, payload)
  if (protocol === 'webSocket') return textFrame(payload)
  const { event: name, data } = JSON.parse(payload) as { event: string; data: string }
  const body = JSON.stringify({ name, channel: CHANNEL, data })
  const md5 = createHash('md5').update(body).digest('hex')
  const path = '/apps/engawa/events'
  const query = `auth_key=engawa&auth_timestamp=${Math.floor(Date.now() / 1000)}&auth_version=1.0&body_md5=${md5}&nonce=${process.pid}.${nonces++}`
  const signature = createHmac('sha256', secret).update(`POST\n${path}\n${query}`).digest('hex')
  const head = `POST ${path}?${query}&auth_signature=${signature} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n`
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

/** All servers send these bytes, which a subscriber of Engawa receives. */
export const message = (data: object) =>
  JSON.stringify({ channel: CHANNEL, event: 'MessageSent', data: JSON.stringify(data) })

function resp(...words: string[]) {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
  return Buffer.from(`*${words.length}\r\n${parts.join('')}`)
}
