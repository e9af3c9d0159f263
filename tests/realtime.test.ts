import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { eventually } from '#tests/eventually.ts'
import { axiosVisitor } from '#tests/sanctum.ts'
import { type RunningServer, startServer } from '#tests/server.ts'
import {
  connectPusher,
  connectSubscribed,
  occupiedChannels,
  openPusher,
  realtimeApp,
} from '#tests/sockets.ts'

const SECRET = 'a secret of some length'
const SUCCEEDED = 'pusher_internal:subscription_succeeded'
let server: RunningServer
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'off', PUSHER_APP_SECRET: SECRET })
})
afterAll(async () => {
  expect(await server.stop()).toBe(0)
})

describe('a connection', () => {
  test('receives its id and the activity timeout', async () => {
    const [one, two] = [openPusher(server.url), openPusher(server.url)]
    const [first, second] = [
      await one.nextMessage('pusher:connection_established'),
      await two.nextMessage('pusher:connection_established'),
    ]
    for (const { data } of [first, second]) {
      expect(data).toEqual({
        socket_id: expect.stringMatching(/^\d+\.\d+$/),
        activity_timeout: expect.any(Number),
      })
      expect(data.activity_timeout).toBeGreaterThan(0)
    }
    expect(first.data.socket_id).not.toBe(second.data.socket_id)
  })

  test.each([
    [4001, 'another key', { key: 'another' }],
    [4008, 'no version of the protocol', { query: 'client=js' }],
    [4007, 'an older version', { query: 'protocol=4' }],
    [4007, 'a newer version', { query: 'protocol=8&client=js' }],
    [4007, 'no number', { query: 'protocol=seven' }],
  ])('is refused with %i when it names %s', async (code, _, dialled) => {
    const client = openPusher(server.url, dialled)
    expect((await client.nextMessage('pusher:error')).data).toEqual({
      code,
      message: expect.stringMatching(/\S/),
    })
    expect((await client.whenClosed).code).toBe(code)
    expect(client.inbox).toEqual([])
  })

  test.each(['5', '6'])('works with protocol %s, which older clients use', async (protocol) => {
    const client = await connectPusher(server.url, {
      query: `protocol=${protocol}&client=java&version=2.4`,
    })
    client.subscribe('chat')
    expect(await client.nextMessage(SUCCEEDED)).toEqual({ event: SUCCEEDED, channel: 'chat', data: {} })
  })

  test('is accepted only at /app/{key}', async () => {
    for (const path of ['/', '/app', '/app/', '/app/engawa/x', '/api/user', '/apps/engawa/events']) {
      const ws = new WebSocket(server.url.replace('http', 'ws') + path)
      ws.on('error', () => {})
      const [, response] = await once(ws, 'unexpected-response')
      expect(response.statusCode, path).toBe(404)
      ws.terminate()
    }
    expect((await axiosVisitor(server.url).http.get('/app/engawa?protocol=7')).status).toBeGreaterThanOrEqual(
      400,
    )
  })

  test('is refused with 4100 when there are too many, until one closes', async () => {
    const { url } = await realtimeApp({ realtime: { maxConnections: 2 } })
    const [one] = [await connectPusher(url), await connectPusher(url)]
    expect((await openPusher(url).whenClosed).code).toBe(4100)
    one.ws.close()
    await eventually(() => connectPusher(url))
    expect((await openPusher(url).whenClosed).code).toBe(4100)
  })

  test('answers pings, sends pings to silent clients, and is closed with 4201 without an answer', async () => {
    const asking = await connectPusher(server.url)
    asking.send('pusher:ping', {})
    expect(await asking.nextMessage('pusher:pong')).toEqual({ event: 'pusher:pong', data: {} })
    const pong = once(asking.ws, 'pong')
    asking.ws.ping('x')
    expect(String((await pong)[0])).toBe('x')

    const { url } = await realtimeApp({ realtime: { activityTimeout: 0.4, pongTimeout: 0.4 } })
    const [alive, dead] = [await connectPusher(url), await connectPusher(url)]
    for (let n = 0; n < 3; n++) {
      expect(await alive.nextMessage('pusher:ping')).toEqual({ event: 'pusher:ping', data: {} })
      alive.send('pusher:pong', {})
    }
    expect((await dead.whenClosed).code).toBe(4201)
    expect(dead.received('pusher:ping')).toHaveLength(1)
    expect(dead.received('pusher:error')[0]!.data.code).toBe(4201)
    expect(alive.ws.readyState).toBe(WebSocket.OPEN)
  })

  test('is closed with 4200 when the server stops, which does not wait for clients that do not react', async () => {
    const stopping = await startServer({ RATE_LIMIT: 'off' })
    const [idle, busy, deaf] = [
      await connectPusher(stopping.url),
      await connectSubscribed(stopping.url, 'chat'),
      await connectSubscribed(stopping.url, 'chat'),
    ]
    deaf.raw().pause()
    const code = stopping.stop()
    for (const one of [idle, busy]) expect((await one.whenClosed).code).toBe(4200)
    expect(await code).toBe(0)
  })
})

describe('a public channel', () => {
  test('is open to everyone under any valid name, until they unsubscribe', async () => {
    const { url, realtime } = await realtimeApp()
    for (const name of ['chat', 'unknown.channel-1_=@,.;', 'x'.repeat(200), 'privateer', '__proto__']) {
      const client = await connectPusher(url)
      client.subscribe(name)
      expect(await client.nextMessage(SUCCEEDED)).toEqual({ event: SUCCEEDED, channel: name, data: {} })
      client.subscribe(name)
      realtime.broadcast([name], 'MessageSent', { message: '縁側' })
      expect(await client.nextMessage('MessageSent')).toEqual({
        event: 'MessageSent',
        channel: name,
        data: { message: '縁側' },
      })
      await client.sync()
      expect(client.received('MessageSent'), 'twice subscribed is once').toEqual([])
      client.unsubscribe(name)
      client.unsubscribe(name)
      await client.sync()
      realtime.broadcast([name, 'other'], 'MessageSent', {})
      await client.sync()
      expect(client.received('MessageSent')).toEqual([])
      expect(await occupiedChannels(realtime)).toEqual([])
    }
  })

  test('has a name that Pusher allows', async () => {
    const { url, realtime } = await realtimeApp()
    const client = await connectPusher(url)
    for (const name of [
      '',
      'a b',
      'a/b',
      'a\n',
      'é',
      '#server',
      'x'.repeat(201),
      null,
      undefined,
      5,
      {},
      ['chat'],
    ]) {
      client.subscribe(name)
      expect((await client.nextMessage('pusher:error')).data, String(name)).toEqual({
        code: expect.any(Number),
        message: expect.any(String),
      })
    }
    expect([client.received(SUCCEEDED), await occupiedChannels(realtime)]).toEqual([[], []])
  })
})

describe('events', () => {
  test('arrive in order, each once, on all sockets except the excluded one', async () => {
    const { url, realtime } = await realtimeApp()
    const [one, two, left] = [
      await connectSubscribed(url, 'chat'),
      await connectSubscribed(url, 'chat'),
      await connectSubscribed(url, 'chat'),
    ]
    for (const one of [two, left]) {
      one.subscribe('more')
      await one.nextMessage(SUCCEEDED)
    }
    for (let n = 0; n < 500; n++)
      realtime.broadcast(n % 2 ? ['chat'] : ['chat', 'nobody'], 'Said', { n }, { except: left.id })
    realtime.broadcast(['chat', 'more'], 'Last', {})
    await one.nextMessage('Last')
    for (const client of [two, left])
      expect([
        (await client.nextMessage('Last')).channel,
        (await client.nextMessage('Last')).channel,
      ]).toEqual(['chat', 'more'])
    const numbers = Array.from({ length: 500 }, (_, n) => n)
    for (const client of [one, two])
      expect(client.received('Said').map(({ data }) => data.n)).toEqual(numbers)
    expect(left.received('Said')).toEqual([])
  })

  test('of every size arrive complete', async () => {
    const { url, realtime } = await realtimeApp()
    const client = await connectSubscribed(url, 'chat')
    for (const size of [
      0, 1, 70, 71, 72, 73, 74, 75, 125, 126, 127, 65_400, 65_470, 65_480, 65_490, 65_536, 200_000,
    ]) {
      realtime.broadcast(['chat'], 'Said', 'あ'.repeat(size / 3) + 'x'.repeat(size % 3))
      expect(Buffer.byteLength((await client.nextMessage('Said')).data)).toBe(size)
    }
  })

  test('do not wait for a client that has stopped reading: its socket is closed, the others receive everything', async () => {
    const { url, realtime, app } = await realtimeApp()
    const [reader, stuck] = [await connectSubscribed(url, 'chat'), await connectSubscribed(url, 'chat')]
    stuck.raw().pause()
    const most = 4000
    const filler = 'x'.repeat(10_000)
    const connections = () =>
      new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))
    for (let n = 0; n < most; n++) {
      realtime.broadcast(['chat'], 'Said', { n, filler })
      await turn()
      if (n % 20 === 19) await reader.sync()
    }
    const numbers = reader.received('Said').map(({ data }) => data.n)
    expect(numbers).toEqual(Array.from({ length: most }, (_, n) => n))
    await eventually(async () =>
      expect((await realtime.subscriptionCounts({ names: ['chat'] })).get('chat') ?? 0).toBe(1),
    )
    await eventually(async () => expect(await connections()).toBe(1))
    stuck.raw().resume()
    await stuck.whenClosed
    const before = stuck.received('Said').map(({ data }) => data.n as number)
    expect(before.length).toBeLessThan(most)
    expect(before, 'what it had been sent until then has no gaps').toEqual(numbers.slice(0, before.length))
  })

  test('reach two thousand sockets', async () => {
    const { url, realtime } = await realtimeApp()
    const count = 2000
    let receivedCount = 0
    const all = Promise.withResolvers<void>()
    const sockets: WebSocket[] = []
    onTestFinished(() => sockets.forEach((one) => void one.terminate()))
    for (let n = 0; n < count; n += 100)
      await Promise.all(
        Array.from({ length: 100 }, async () => {
          const ws = new WebSocket(`${url.replace('http', 'ws')}/app/engawa?protocol=7`)
          sockets.push(ws)
          await once(ws, 'message')
          ws.send('{"event":"pusher:subscribe","data":{"channel":"chat"}}')
          await once(ws, 'message')
          ws.on(
            'message',
            (raw) => String(raw).includes('"Said"') && ++receivedCount === count && all.resolve(),
          )
        }),
      )
    expect((await realtime.subscriptionCounts({ names: ['chat'] })).get('chat') ?? 0).toBe(count)
    realtime.broadcast(['chat'], 'Said', {})
    await all.promise
    realtime.broadcast(['chat'], 'Last', {})
    await Promise.all(sockets.map((one) => once(one, 'message')))
    expect(receivedCount).toBe(count)
  })
})
