import { createHmac } from 'node:crypto'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { type RawData, WebSocket } from 'ws'
import type { RealtimeServer } from '#core/realtime/server.ts'
import type { ServedChannels } from '#core/schemas.ts'
import { createTestApp, type TestAppOptions, type TestClient } from '#tests/harness.ts'

/** Returns the names of the channels with at least one subscriber. */
export const occupiedChannels = async (realtime: RealtimeServer) => [
  ...(await realtime.subscriptionCounts({ prefix: '' })).keys(),
]

const LEAK =
  /node_modules|node:internal|\.ts\b|\bat \S+ \(|sqlite|select |Error:|\/tmp\/|\/work\/|undefined|\[object/i

/**
 * Parses a Pusher message and its data. The data must be a string that contains JSON: if it is no string, an
 * Error is returned in its place, and if it is no JSON, it is returned unchanged.
 */
function read(raw: RawData) {
  const { data, ...message } = JSON.parse(String(raw)) as {
    event: string
    channel?: string
    user_id?: string
    data: unknown
  }
  if (/^pusher/.test(message.event)) expect(String(raw)).not.toMatch(LEAK)
  if (typeof data !== 'string')
    return {
      ...message,
      data: new Error(`The data of ${message.event} is no string`) as ReturnType<typeof JSON.parse>,
    }
  try {
    return { ...message, data: JSON.parse(data) }
  } catch {
    return { ...message, data }
  }
}
type Message = ReturnType<typeof read>

interface SocketOptions {
  key?: string
  query?: string
  /** The value of the header Cookie of the handshake. */
  cookie?: string
}

/**
 * Opens a WebSocket to the Pusher endpoint of a server. Returns a client that stores the received messages,
 * and can send any message, valid or not.
 */
export function openPusher(
  url: string,
  { key = 'engawa', query = 'protocol=7&client=js&version=8.6.0&flash=false', cookie }: SocketOptions = {},
) {
  const ws = new WebSocket(`${url.replace(/^http/, 'ws')}/app/${key}?${query}`, {
    headers: cookie ? { cookie } : {},
  })
  const inbox: Message[] = []
  const waiting = new Set<() => void>()
  let closed = ''
  onTestFinished(() => ws.terminate())
  ws.on('error', () => {})
  ws.on('message', (raw) => {
    inbox.push(read(raw))
    for (const look of waiting) look()
  })
  const whenClosed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.on('close', (code, reason) => {
      closed = `, and it closed with ${code} ${reason}`
      resolve({ code, reason: String(reason) })
      for (const look of waiting) look()
      expect(String(reason)).not.toMatch(LEAK)
    })
  })
  const send = (event: unknown, data?: unknown, channel?: unknown) =>
    ws.send(JSON.stringify({ event, data, channel }))
  /** Waits for the next message with the event name `event`, removes it from the inbox, and returns it. */
  const nextMessage = (event: string) =>
    new Promise<Message>((resolve, reject) => {
      const look = () => {
        const at = inbox.findIndex((one) => one.event === event)
        if (at >= 0) settle(() => resolve(inbox.splice(at, 1)[0]!))
        else if (closed) fail()
      }
      const settle = (how: () => void) => {
        clearTimeout(late)
        waiting.delete(look)
        how()
      }
      const fail = () =>
        settle(() =>
          reject(new Error(`No ${event} came, but ${JSON.stringify(inbox).slice(0, 500)}${closed}`)),
        )
      const late = setTimeout(fail, 10_000)
      waiting.add(look)
      look()
    })
  return {
    ws,
    whenClosed,
    send,
    nextMessage,
    /** Waits until the server has answered everything that this client has sent so far. */
    async sync() {
      send('pusher:ping', {})
      await nextMessage('pusher:pong')
    },
    inbox,
    /**
     * Returns the received messages with this event name that `nextMessage` has not taken out of the inbox
     * yet.
     */
    received: (event: string) => inbox.filter((one) => one.event === event),
    subscribe: (channel: unknown, signed: object = {}) => send('pusher:subscribe', { channel, ...signed }),
    unsubscribe: (channel: unknown) => send('pusher:unsubscribe', { channel }),
    raw: () => (ws as unknown as { _socket: Socket })._socket,
  }
}

/**
 * Opens a WebSocket as `openPusher` does, and waits for the first message of the server.
 * Returns the client with the socket id from this message.
 */
export async function connectPusher(url: string, dialled?: SocketOptions) {
  const client = openPusher(url, dialled)
  const { data } = await client.nextMessage('pusher:connection_established')
  return { ...client, id: data.socket_id as string }
}
export type PusherClient = Awaited<ReturnType<typeof connectPusher>>

/**
 * Connects a client, and subscribes it to a channel with the signature that `sign` returns. Returns the
 * client when the server has accepted the subscription.
 */
export async function connectSubscribed(
  url: string,
  name: string,
  sign: (id: string) => object = () => ({}),
) {
  const client = await connectPusher(url)
  client.subscribe(name, sign(client.id))
  const { channel } = await client.nextMessage('pusher_internal:subscription_succeeded')
  expect(channel).toBe(name)
  return client
}

/** Returns the signature of a channel subscription, computed as in Pusher's documentation. */
export function authFields(secret: string, id: string, name: string, channelData?: string) {
  const text = [id, name, ...(channelData === undefined ? [] : [channelData])].join(':')
  return {
    auth: `engawa:${createHmac('sha256', secret).update(text).digest('hex')}`,
    ...(channelData !== undefined && { channel_data: channelData }),
  }
}

const channels = {
  room: { name: 'private-room.:n', events: {} },
  club: { name: 'presence-club.:n', events: {} },
} as const satisfies ServedChannels

/**
 * Starts a test app on a port, with the additional channels private-room.:n and presence-club.:n for tests.
 * Their guard lets everybody subscribe; a test may replace `guard.allows`.
 */
export async function realtimeApp(options: TestAppOptions = {}) {
  const testApp = await createTestApp(options)
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(testApp.app.server.address() as AddressInfo).port}`
  const guard = { allows: (_me: number, _n: number): Promise<boolean> | boolean => true }
  const { realtime } = testApp.context
  realtime.addChannels(channels, {
    room: (me, { n }) => guard.allows(me, n),
    club: async (me, { n }) => (await guard.allows(me, n)) && { name: `Member ${me}` },
  })
  const sign = (who: TestClient, id: string, name: string) =>
    who.post('/my-broadcast-auth', { socket_id: id, channel_name: name })
  return {
    ...testApp,
    url,
    /**
     * The value for the option `sameDataAs` of another test app, which then shares the database and bucket of
     * this app.
     */
    sameData: { url: testApp.url, s3: testApp.s3 },
    realtime,
    guard,
    sign,
    /** Subscribes a member to a channel with a signature, with the client `at` or with a new one. */
    async subscribeAs(who: TestClient, name: string, at?: PusherClient) {
      const client = at ?? (await connectPusher(url))
      const { status, body } = await sign(who, client.id, name)
      expect(status, JSON.stringify(body)).toBe(200)
      client.subscribe(name, body)
      const { data } = await client.nextMessage('pusher_internal:subscription_succeeded')
      return { ...client, presence: data.presence }
    },
    /**
     * Makes the guard of the additional channels wait. `asked` resolves when the server calls the guard.
     * `answer(result)` makes the guard return this result.
     */
    holdGuard() {
      const asked = Promise.withResolvers<void>()
      const verdict = Promise.withResolvers<boolean>()
      guard.allows = () => {
        asked.resolve()
        return verdict.promise
      }
      return { asked: asked.promise, answer: verdict.resolve }
    },
  }
}

/** Resolves when every message that one of these clients has sent has reached the other clients. */
export async function messagesArrived(...clients: PusherClient[]) {
  for (const one of [...clients, ...clients]) await one.sync()
}

/** Waits for a subscription error of a channel, and expects that its status is one of `statuses`. */
export async function expectNotSubscribed(client: PusherClient, name: string, statuses: readonly number[]) {
  const { channel, data } = await client.nextMessage('pusher:subscription_error')
  expect(channel).toBe(name)
  expect(data).toEqual({
    type: expect.stringMatching(/\S/),
    error: expect.stringMatching(/\S/),
    status: expect.any(Number),
  })
  expect(statuses).toContain(data.status)
  await client.sync()
  expect(client.received('pusher_internal:subscription_succeeded')).toEqual([])
}
