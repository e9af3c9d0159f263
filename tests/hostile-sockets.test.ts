import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { TestClient } from '#tests/harness.ts'
import { connectPusher, connectSubscribed, type PusherClient, realtimeApp } from '#tests/sockets.ts'
import {
  encodeFrame,
  type FrameFields,
  PING_OPCODE,
  PONG_OPCODE,
  TEXT_OPCODE,
} from '#tests/websocket-frames.ts'

// Tests how much load one account or one IP address can cause with its sockets. Rate limits are on, as by
// default in the server; most other tests turn them off.

const MB = 2 ** 20
const create = async () => {
  const testApp = await realtimeApp({ env: { RATE_LIMIT: 'on' } })
  const { Ann, Mallory } = await testApp.members('Ann', 'Mallory')
  /** Expects that the server still answers a health check and accepts a new post by the member Ann. */
  const expectService = async () => {
    expect((await fetch(`${testApp.url}/healthz`)).status).toBe(200)
    const written = await Ann.post('/api/posts', { text: 'Good morning' })
    expect(written.status, JSON.stringify(written.body)).toBe(201)
  }
  return { ...testApp, Ann, Mallory, expectService }
}
type AttackedApp = Awaited<ReturnType<typeof create>>

const many = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)))
/** Opens `count` sockets of a member, and subscribes each of them to the channel. Returns their clients. */
const subscribeAll = (testApp: AttackedApp, who: TestClient, name: string, count: number) =>
  many(count, () => testApp.subscribeAs(who, name))
const bytesRead = (clients: readonly PusherClient[]) =>
  clients.reduce((sum, client) => sum + client.raw().bytesRead, 0)
/** Waits until the server has answered all messages of these clients, or has closed their connections. */
const answered = (clients: readonly PusherClient[]) =>
  Promise.all(clients.map((client) => Promise.race([client.whenClosed, client.sync().catch(() => {})])))

describe('one socket', () => {
  const create501 = (frame: FrameFields) => Array.from({ length: 501 }, () => frame)
  const first: FrameFields = {
    opcode: TEXT_OPCODE,
    payload: '{"event":"pusher:ping"',
    fin: false,
  }

  test.each<[string, FrameFields[], number]>([
    ['too many pongs', create501({ opcode: PONG_OPCODE }), 4100],
    ['too many long pongs', create501({ opcode: PONG_OPCODE, payload: 'x'.repeat(125) }), 4100],
    ['too many pings', create501({ opcode: PING_OPCODE }), 4100],
    ['too many empty messages', create501({ opcode: TEXT_OPCODE }), 4100],
    ['too many empty fragments', [first, ...create501({ opcode: 0, fin: false })], 4100],
    ['too many fragments of one byte', [first, ...create501({ opcode: 0, payload: 'x', fin: false })], 4100],
    ['a message in 17 fragments', [first, ...create501({ opcode: 0, fin: false }).slice(0, 16)], 1008],
  ])('is disconnected when it sends %s', async (_, frames, code) => {
    const { url, expectService } = await create()
    const client = await connectPusher(url)
    let pongs = 0
    client.ws.on('pong', () => pongs++)
    client.raw().write(Buffer.concat(frames.map((frame) => encodeFrame(frame))))
    expect((await client.whenClosed).code).toBe(code)
    expect(pongs, 'frames that were handled').toBe(0)
    await expectService()
  })

  test('is disconnected when it sends a frame byte by byte', async () => {
    const { url, expectService } = await create()
    const client = await connectPusher(url)
    const raw = client.raw()
    raw.write(encodeFrame({ opcode: TEXT_OPCODE, payload: 'x'.repeat(60_000) }).subarray(0, 8))
    for (let n = 0; n < 5000 && client.ws.readyState === client.ws.OPEN; n++) {
      raw.write('x')
      await turn()
    }
    expect((await client.whenClosed).code).toBe(1008)
    await expectService()
  })

  test('is not read any more after it was disconnected, however much it sends', async () => {
    const testApp = await create()
    const accepted = once(testApp.app.server, 'connection')
    const client = await connectPusher(testApp.url)
    const [socket] = (await accepted) as [Socket]
    const flood = Buffer.concat(create501({ opcode: PONG_OPCODE, payload: 'x'.repeat(125) }).map(encodeFrame))
    const raw = client.raw()
    // Stops the library `ws` from answering the server's close frame, so that the client ignores this frame
    // and goes on sending.
    raw.removeAllListeners('data').on('error', () => {})
    const closed = once(socket, 'close')
    for (let sent = 0; sent < 20 * MB; sent += flood.length) raw.write(flood)
    await closed
    expect(socket.bytesRead).toBeLessThan(MB)
    raw.destroy()
    await testApp.expectService()
  })

  test('may send a message in 16 fragments, and a pong', async () => {
    const { url } = await create()
    const client = await connectPusher(url)
    const rest: FrameFields[] = Array.from({ length: 14 }, () => ({
      opcode: 0,
      payload: ' ',
      fin: false,
    }))
    const frames: FrameFields[] = [first, { opcode: PONG_OPCODE }, ...rest, { opcode: 0, payload: '}' }]
    for (const frame of frames) client.raw().write(encodeFrame(frame))
    await client.nextMessage('pusher:pong')
  })

  test('stays connected while it answers pings', async () => {
    const realtime = { activityTimeout: 0.1, pongTimeout: 10 }
    const { url } = await realtimeApp({ env: { RATE_LIMIT: 'on' }, realtime })
    const client = await connectPusher(url)
    for (let n = 0; n < 5; n++) {
      await client.nextMessage('pusher:ping')
      client.raw().write(encodeFrame({ opcode: PONG_OPCODE }))
      client.send('pusher:pong', {})
    }
    await client.sync()
  })
})

describe('one account', () => {
  test('has at most fifty connections', async () => {
    const testApp = await create()
    const clients = await many(60, () => connectPusher(testApp.url))
    for (const client of clients) await testApp.sign(testApp.Mallory, client.id, 'private-room.1')
    const closed = clients.slice(50)
    for (const { code } of await Promise.all(closed.map(({ whenClosed }) => whenClosed)))
      expect(code).toBe(4100)
    await answered(clients.slice(0, 50))
    expect(clients.slice(0, 50).every(({ ws }) => ws.readyState === ws.OPEN)).toBe(true)
    expect((await testApp.subscribeAs(testApp.Ann, 'private-room.1')).inbox).toEqual([])
    await testApp.expectService()
    for (const { ws } of clients.slice(0, 10)) ws.close()
    await Promise.all(clients.slice(0, 10).map(({ whenClosed }) => whenClosed))
    await testApp.subscribeAs(testApp.Mallory, 'private-room.1')
  })

  test('has one limit of client events for all of its sockets', async () => {
    const testApp = await create()
    const room = 'private-room.1'
    const ann = await testApp.subscribeAs(testApp.Ann, room)
    const clients = await subscribeAll(testApp, testApp.Mallory, room, 40)
    const before = bytesRead([...clients, ann])
    const filler = 'x'.repeat(10_000)
    for (const client of clients) for (let n = 0; n < 10; n++) client.send('client-flood', { filler }, room)
    await testApp.expectService()
    await answered([...clients, ann])
    // Expects a limited traffic: a member may send client events of 4 MB at once, and of 1 MB more each
    // second, multiplied by the number of receivers. Without this limit, 400 events of 10 kB would go to 40
    // clients each.
    expect(bytesRead([...clients, ann]) - before).toBeLessThan(16 * MB)
    expect(ann.received('client-flood').length).toBeLessThan(40)
    expect(clients.flatMap((client) => client.received('pusher:error'))[0]!.data.code).toBe(4301)

    const small = await subscribeAll(testApp, testApp.Ann, 'private-room.2', 8)
    for (const client of small)
      for (let n = 0; n < 10; n++) client.send('client-typing', {}, 'private-room.2')
    await answered(small)
    const received = small[0]!.received('client-typing').length
    expect(received, 'another member is not affected').toBeGreaterThan(20)
    expect(received).toBeLessThan(60)
  })

  test('causes at most one joining and one leaving message, however often it joins and leaves', async () => {
    const testApp = await create()
    const club = 'presence-club.1'
    const ann = await testApp.subscribeAs(testApp.Ann, club)
    const clients = await many(20, () => connectPusher(testApp.url))
    const signed = await many(
      20,
      async (n) => (await testApp.sign(testApp.Mallory, clients[n]!.id, club)).body,
    )
    const before = bytesRead([ann])
    for (let n = 0; n < 200; n++)
      for (const [index, client] of clients.entries()) {
        client.subscribe(club, signed[index])
        client.unsubscribe(club)
      }
    await testApp.expectService()
    await answered(clients)
    await ann.sync()
    expect(ann.received('pusher_internal:member_added').length).toBeLessThanOrEqual(1)
    expect(ann.received('pusher_internal:member_removed').length).toBeLessThanOrEqual(1)
    expect(bytesRead([ann]) - before).toBeLessThan(5000)
    const refusals = clients.flatMap((client) => client.received('pusher:subscription_error'))
    const closed = clients.filter(({ ws }) => ws.readyState !== ws.OPEN)
    expect(refusals.length + closed.length).toBeGreaterThan(0)
    for (const { data } of refusals) expect(data).toMatchObject({ type: 'LimitReached', status: 429 })
  })

  test('gets a limited number of member lists', async () => {
    const testApp = await create()
    const { config, realtime } = testApp
    const club = 'presence-club.1'
    // Adds 2,500 members to the presence channel, as another process would report them. Their list takes 300
    // kB.
    const { presence } = (
      realtime as unknown as { channels: { presence: { join(...args: unknown[]): void } } }
    ).channels
    const name = 'N'.repeat(100)
    for (let id = 10_000; id < 12_500; id++) presence.join('other process', club, String(id), { name })
    expect(config.RATE_LIMIT).toBe(true)
    const clients = await subscribeAll(testApp, testApp.Mallory, club, 10)
    const before = bytesRead(clients)
    for (let n = 0; n < 20; n++) for (const client of clients) client.subscribe(club)
    await testApp.expectService()
    await answered(clients)
    expect(bytesRead(clients) - before).toBeLessThan(30 * MB)
  })
})

describe('one address', () => {
  test('loses connections when it sends too much', async () => {
    const testApp = await create()
    const other = await connectSubscribed(testApp.url, 'open')
    const clients = await many(100, () => connectPusher(testApp.url))
    const filler = 'x'.repeat(60_000)
    for (const client of clients) for (let n = 0; n < 12; n++) client.send('pusher:ping', { filler })
    await testApp.expectService()
    await Promise.all(
      clients.map((client) => Promise.race([client.whenClosed, client.sync().catch(() => {})])),
    )
    expect(clients.filter(({ ws }) => ws.readyState !== ws.OPEN).length).toBeGreaterThan(0)
    expect(other.ws.readyState, 'an idle client stays connected').toBe(other.ws.OPEN)
  })

  test('loses connections when its sockets together send too many frames', async () => {
    const { url, expectService } = await create()
    const clients = await many(60, () => connectPusher(url))
    const flood = Buffer.concat(Array.from({ length: 400 }, () => encodeFrame({ opcode: PONG_OPCODE })))
    for (const client of clients) client.raw().write(flood)
    const { code } = await Promise.race(clients.map(({ whenClosed }) => whenClosed))
    expect(code).toBe(4100)
    await expectService()
  })

  test('is disconnected when it sends pings without end', async () => {
    const { url, expectService } = await create()
    const client = await connectPusher(url)
    // Sends ten pings at a time, because the library `ws` itself disconnects a client that sends many at
    // once.
    for (let n = 0; n < 5000 && client.ws.readyState === client.ws.OPEN; n++) {
      client.ws.ping('x'.repeat(100))
      if (n % 10 === 9) await turn()
    }
    await expectService()
    expect((await client.whenClosed).code).toBe(4100)
  })

  test('can open a thousand connections at once, and then gets a 429', async () => {
    const { url, expectService } = await create()
    const statuses = new Map<number, number>()
    for (let n = 0; n < 12; n++)
      await many(100, async () => {
        const answer = await handshake(url)
        statuses.set(answer, (statuses.get(answer) ?? 0) + 1)
      })
    expect(statuses.get(429)).toBeGreaterThan(0)
    expect(statuses.get(101)).toBeGreaterThanOrEqual(1000)
    await expectService()
  })
})

/**
 * Opens a WebSocket, and returns the HTTP status of its handshake. Closes the connection if the server has
 * accepted it.
 */
async function handshake(url: string) {
  const { WebSocket } = await import('ws')
  const ws = new WebSocket(`${url.replace(/^http/, 'ws')}/app/engawa?protocol=7`)
  const closed = new Promise((resolve) => ws.once('close', resolve))
  const status = await new Promise<number>((resolve) => {
    ws.once('open', () => resolve(101))
    ws.once('unexpected-response', (_, answer) => resolve(answer.statusCode!))
    ws.on('error', () => {})
  })
  ws.terminate()
  await closed
  return status
}
