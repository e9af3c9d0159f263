import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { visitor } from '#tests/sanctum.ts'
import { type Server, startServer } from '#tests/server.ts'
import { connect, createTestServer, dial, listener, occupied } from '#tests/sockets.ts'

const SECRET = 'a secret of some length'
const SUCCEEDED = 'pusher_internal:subscription_succeeded'
let server: Server
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'off', PUSHER_APP_SECRET: SECRET })
})
afterAll(async () => {
  expect(await server.stop()).toBe(0)
})

describe('a connection', () => {
  test('is told its id, and how long silence may last', async () => {
    const [one, two] = [dial(server.url), dial(server.url)]
    const [first, second] = [
      await one.take('pusher:connection_established'),
      await two.take('pusher:connection_established'),
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
    const client = dial(server.url, dialled)
    expect((await client.take('pusher:error')).data).toEqual({ code, message: expect.stringMatching(/\S/) })
    expect((await client.gone).code).toBe(code)
    expect(client.inbox).toEqual([])
  })

  test.each(['5', '6'])('is served alike by protocol %s, which older clients speak', async (protocol) => {
    const client = await connect(server.url, { query: `protocol=${protocol}&client=java&version=2.4` })
    client.subscribe('chat')
    expect(await client.take(SUCCEEDED)).toEqual({ event: SUCCEEDED, channel: 'chat', data: {} })
  })

  test('is had at /app/{key} alone', async () => {
    for (const path of ['/', '/app', '/app/', '/app/engawa/x', '/api/user', '/apps/engawa/events']) {
      const ws = new WebSocket(server.url.replace('http', 'ws') + path)
      ws.on('error', () => {})
      const [, response] = await once(ws, 'unexpected-response')
      expect(response.statusCode, path).toBe(404)
      ws.terminate()
    }
    expect((await visitor(server.url).http.get('/app/engawa?protocol=7')).status).toBeGreaterThanOrEqual(400)
  })

  test('is refused with 4100 where there are too many, until one goes', async () => {
    const { url } = await createTestServer({ realtime: { maxConnections: 2 } })
    const [one] = [await connect(url), await connect(url)]
    expect((await dial(url).gone).code).toBe(4100)
    one.ws.close()
    await vi.waitFor(() => connect(url))
    expect((await dial(url).gone).code).toBe(4100)
  })

  test('answers pings, and asks those who are silent for a sign of life', async () => {
    const asking = await connect(server.url)
    asking.say('pusher:ping', {})
    expect(await asking.take('pusher:pong')).toEqual({ event: 'pusher:pong', data: {} })
    const pong = once(asking.ws, 'pong')
    asking.ws.ping('x')
    expect(String((await pong)[0])).toBe('x')

    const { url } = await createTestServer({ realtime: { activityTimeout: 0.4, pongTimeout: 0.4 } })
    const [alive, dead] = [await connect(url), await connect(url)]
    for (let n = 0; n < 3; n++) {
      expect(await alive.take('pusher:ping')).toEqual({ event: 'pusher:ping', data: {} })
      alive.say('pusher:pong', {})
    }
    expect((await dead.gone).code).toBe(4201)
    expect(dead.heard('pusher:ping')).toHaveLength(1)
    expect(dead.heard('pusher:error')[0]!.data.code).toBe(4201)
    expect(alive.ws.readyState).toBe(WebSocket.OPEN)
  })

  test('ends with 4200 when the server stops, which waits for nobody who does not listen', async () => {
    const stopping = await startServer({ RATE_LIMIT: 'off' })
    const [idle, busy, deaf] = [
      await connect(stopping.url),
      await listener(stopping.url, 'chat'),
      await listener(stopping.url, 'chat'),
    ]
    deaf.raw().pause()
    const code = stopping.stop()
    for (const one of [idle, busy]) expect((await one.gone).code).toBe(4200)
    expect(await code).toBe(0)
  })
})

describe('a public channel', () => {
  test('is open to everyone by any good name, until they leave', async () => {
    const { url, realtime } = await createTestServer()
    for (const name of ['chat', 'unknown.channel-1_=@,.;', 'x'.repeat(200), 'privateer', '__proto__']) {
      const client = await connect(url)
      client.subscribe(name)
      expect(await client.take(SUCCEEDED)).toEqual({ event: SUCCEEDED, channel: name, data: {} })
      client.subscribe(name)
      realtime.broadcast([name], 'MessageSent', { message: '縁側' })
      expect(await client.take('MessageSent')).toEqual({
        event: 'MessageSent',
        channel: name,
        data: { message: '縁側' },
      })
      await client.sync()
      expect(client.heard('MessageSent'), 'twice subscribed is once').toEqual([])
      client.unsubscribe(name)
      client.unsubscribe(name)
      await client.sync()
      realtime.broadcast([name, 'other'], 'MessageSent', {})
      await client.sync()
      expect(client.heard('MessageSent')).toEqual([])
      expect(await occupied(realtime)).toEqual([])
    }
  })

  test('has a name of the kind that Pusher allows', async () => {
    const { url, realtime } = await createTestServer()
    const client = await connect(url)
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
      expect((await client.take('pusher:error')).data, String(name)).toEqual({
        code: expect.any(Number),
        message: expect.any(String),
      })
    }
    expect([client.heard(SUCCEEDED), await occupied(realtime)]).toEqual([[], []])
  })
})

describe('events', () => {
  test('arrive in order, each once, on all but the socket that is left out', async () => {
    const { url, realtime } = await createTestServer()
    const [one, two, left] = [
      await listener(url, 'chat'),
      await listener(url, 'chat'),
      await listener(url, 'chat'),
    ]
    for (const one of [two, left]) {
      one.subscribe('more')
      await one.take(SUCCEEDED)
    }
    for (let n = 0; n < 500; n++)
      realtime.broadcast(n % 2 ? ['chat'] : ['chat', 'nobody'], 'Said', { n }, { except: left.id })
    realtime.broadcast(['chat', 'more'], 'Last', {})
    await one.take('Last')
    for (const client of [two, left])
      expect([(await client.take('Last')).channel, (await client.take('Last')).channel]).toEqual([
        'chat',
        'more',
      ])
    const numbers = Array.from({ length: 500 }, (_, n) => n)
    for (const client of [one, two]) expect(client.heard('Said').map(({ data }) => data.n)).toEqual(numbers)
    expect(left.heard('Said')).toEqual([])
  })

  test('of every size arrive whole', async () => {
    const { url, realtime } = await createTestServer()
    const client = await listener(url, 'chat')
    for (const size of [
      0, 1, 70, 71, 72, 73, 74, 75, 125, 126, 127, 65_400, 65_470, 65_480, 65_490, 65_536, 200_000,
    ]) {
      realtime.broadcast(['chat'], 'Said', 'あ'.repeat(size / 3) + 'x'.repeat(size % 3))
      expect(Buffer.byteLength((await client.take('Said')).data)).toBe(size)
    }
  })

  test('wait for no one who has stopped reading: that socket goes, the others hear everything', async () => {
    const { url, realtime, app } = await createTestServer()
    const [reader, stuck] = [await listener(url, 'chat'), await listener(url, 'chat')]
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
    const numbers = reader.heard('Said').map(({ data }) => data.n)
    expect(numbers).toEqual(Array.from({ length: most }, (_, n) => n))
    await vi.waitFor(
      async () => expect((await realtime.subscriptionCounts({ names: ['chat'] })).get('chat') ?? 0).toBe(1),
      { timeout: 10_000 },
    )
    await vi.waitFor(async () => expect(await connections()).toBe(1), { timeout: 10_000 })
    stuck.raw().resume()
    await stuck.gone
    const before = stuck.heard('Said').map(({ data }) => data.n as number)
    expect(before.length).toBeLessThan(most)
    expect(before, 'what it had been sent until then has no gaps').toEqual(numbers.slice(0, before.length))
  })

  test('reach two thousand sockets', async () => {
    const { url, realtime } = await createTestServer()
    const count = 2000
    let heard = 0
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
          ws.on('message', (raw) => String(raw).includes('"Said"') && ++heard === count && all.resolve())
        }),
      )
    expect((await realtime.subscriptionCounts({ names: ['chat'] })).get('chat') ?? 0).toBe(count)
    realtime.broadcast(['chat'], 'Said', {})
    await all.promise
    realtime.broadcast(['chat'], 'Last', {})
    await Promise.all(sockets.map((one) => once(one, 'message')))
    expect(heard).toBe(count)
  })
})
