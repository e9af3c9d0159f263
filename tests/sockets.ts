import { createHmac } from 'node:crypto'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { type RawData, WebSocket } from 'ws'
import { channel } from '#core/contract.ts'
import type { Realtime } from '#core/realtime/server.ts'
import { type Actor, createTestApp, type TestAppOptions } from '#tests/harness.ts'

/** The channels that somebody is subscribed to. */
export const occupied = async (realtime: Realtime) => [
  ...(await realtime.subscriptionCounts({ prefix: '' })).keys(),
]

const LEAK =
  /node_modules|node:internal|\.ts\b|\bat \S+ \(|sqlite|select |Error:|\/tmp\/|\/work\/|undefined|\[object/i

/** Parses a message and its data: Pusher's data is JSON inside JSON. */
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

interface Dialled {
  key?: string
  query?: string
}

/** A bare WebSocket that keeps what it hears, and says what it is told to, right or wrong. */
export function dial(
  url: string,
  { key = 'engawa', query = 'protocol=7&client=js&version=8.6.0&flash=false' }: Dialled = {},
) {
  const ws = new WebSocket(`${url.replace(/^http/, 'ws')}/app/${key}?${query}`)
  const inbox: Message[] = []
  const waiting = new Set<() => void>()
  let closed = ''
  onTestFinished(() => ws.terminate())
  ws.on('error', () => {})
  ws.on('message', (raw) => {
    inbox.push(read(raw))
    for (const look of waiting) look()
  })
  const gone = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.on('close', (code, reason) => {
      closed = `, and it closed with ${code} ${reason}`
      resolve({ code, reason: String(reason) })
      for (const look of waiting) look()
      expect(String(reason)).not.toMatch(LEAK)
    })
  })
  const say = (event: unknown, data?: unknown, channel?: unknown) =>
    ws.send(JSON.stringify({ event, data, channel }))
  /** The next message of that name, which leaves the inbox with it. */
  const take = (event: string) =>
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
    gone,
    say,
    take,
    /** Everything that was said to the server before this has been answered after it. */
    async sync() {
      say('pusher:ping', {})
      await take('pusher:pong')
    },
    inbox,
    /** The messages of one event that arrived and were not taken yet. */
    heard: (event: string) => inbox.filter((one) => one.event === event),
    subscribe: (channel: unknown, signed: object = {}) => say('pusher:subscribe', { channel, ...signed }),
    unsubscribe: (channel: unknown) => say('pusher:unsubscribe', { channel }),
    raw: () => (ws as unknown as { _socket: Socket })._socket,
  }
}

/** As `dial`, once it has its socket id. */
export async function connect(url: string, dialled?: Dialled) {
  const client = dial(url, dialled)
  const { data } = await client.take('pusher:connection_established')
  return { ...client, id: data.socket_id as string }
}
export type Client = Awaited<ReturnType<typeof connect>>

/** A socket that is subscribed to a public channel, or to another by this signature. */
export async function listener(url: string, name: string, sign: (id: string) => object = () => ({})) {
  const client = await connect(url)
  client.subscribe(name, sign(client.id))
  const { channel } = await client.take('pusher_internal:subscription_succeeded')
  expect(channel).toBe(name)
  return client
}

/** As Pusher's documentation signs a subscription. */
export function signature(secret: string, id: string, name: string, channelData?: string) {
  const text = [id, name, ...(channelData === undefined ? [] : [channelData])].join(':')
  return {
    auth: `engawa:${createHmac('sha256', secret).update(text).digest('hex')}`,
    ...(channelData !== undefined && { channel_data: channelData }),
  }
}

const channels = { room: channel('private-room.:n', {}), club: channel('presence-club.:n', {}) }

/** A village on a port, with private rooms and presence clubs whose guard a test may replace. */
export async function createTestServer(options: TestAppOptions = {}) {
  const place = await createTestApp(options)
  await place.app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(place.app.server.address() as AddressInfo).port}`
  const rights = { ask: (_me: number, _n: number): Promise<boolean> | boolean => true }
  const { realtime } = place.context
  realtime.addChannels(channels, {
    room: (me, { n }) => rights.ask(me, n),
    club: async (me, { n }) => (await rights.ask(me, n)) && { name: `Member ${me}` },
  })
  const sign = (who: Actor, id: string, name: string) =>
    who.post('/my-broadcast-auth', { socket_id: id, channel_name: name })
  return {
    ...place,
    url,
    /** Stands for this process where another one is to share its database. */
    beside: { url: place.url, s3: place.s3 },
    realtime,
    rights,
    sign,
    /** Somebody's socket, subscribed to a channel; `at` is one that they have already. */
    async enter(who: Actor, name: string, at?: Client) {
      const client = at ?? (await connect(url))
      const { status, body } = await sign(who, client.id, name)
      expect(status, JSON.stringify(body)).toBe(200)
      client.subscribe(name, body)
      const { data } = await client.take('pusher_internal:subscription_succeeded')
      return { ...client, presence: data.presence }
    },
    /** Has the guard wait: `asked` once it is asked, and it then answers what `answer` is given. */
    hold() {
      const asked = Promise.withResolvers<void>()
      const verdict = Promise.withResolvers<boolean>()
      rights.ask = () => {
        asked.resolve()
        return verdict.promise
      }
      return { asked: asked.promise, answer: verdict.resolve }
    },
  }
}

/** All that the server was told by one of them has reached the others. */
export async function settle(...clients: Client[]) {
  for (const one of [...clients, ...clients]) await one.sync()
}

/** A subscription is refused, or ended, with one of these statuses. */
export async function expectShut(client: Client, name: string, statuses: readonly number[]) {
  const { channel, data } = await client.take('pusher:subscription_error')
  expect(channel).toBe(name)
  expect(data).toEqual({
    type: expect.stringMatching(/\S/),
    error: expect.stringMatching(/\S/),
    status: expect.any(Number),
  })
  expect(statuses).toContain(data.status)
  await client.sync()
  expect(client.heard('pusher_internal:subscription_succeeded')).toEqual([])
}
