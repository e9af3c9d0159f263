import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Actor } from '#tests/harness.ts'
import { type Client, connect, createTestServer, listener } from '#tests/sockets.ts'

// Tests how much work one account, or one address, can cause by its sockets. Rate limits are on, which is the
// default of the server but not of tests.

const MB = 2 ** 20
const create = async () => {
  const place = await createTestServer({ env: { RATE_LIMIT: 'on' } })
  const { Ann, Mallory } = await place.members('Ann', 'Mallory')
  /** Expects that the server still serves other members. */
  const expectService = async () => {
    expect((await fetch(`${place.url}/healthz`)).status).toBe(200)
    const written = await Ann.post('/api/posts', { text: 'Good morning' })
    expect(written.status, JSON.stringify(written.body)).toBe(201)
  }
  return { ...place, Ann, Mallory, expectService }
}
type Place = Awaited<ReturnType<typeof create>>

const many = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)))
/** Signs a channel for each socket, as a client does, and subscribes. */
const enterAll = (place: Place, who: Actor, name: string, count: number) =>
  many(count, () => place.enter(who, name))
const bytesRead = (clients: readonly Client[]) =>
  clients.reduce((sum, client) => sum + client.raw().bytesRead, 0)
/** Resolves when what the clients said is answered, or they are closed. */
const answered = (clients: readonly Client[]) =>
  Promise.all(clients.map((client) => Promise.race([client.gone, client.sync().catch(() => {})])))

describe('one account', () => {
  test('has fifty connections, and no more', async () => {
    const place = await create()
    const clients = await many(60, () => connect(place.url))
    for (const client of clients) await place.sign(place.Mallory, client.id, 'private-room.1')
    const closed = clients.slice(50)
    for (const { code } of await Promise.all(closed.map(({ gone }) => gone))) expect(code).toBe(4100)
    await answered(clients.slice(0, 50))
    expect(clients.slice(0, 50).every(({ ws }) => ws.readyState === ws.OPEN)).toBe(true)
    expect((await place.enter(place.Ann, 'private-room.1')).inbox).toEqual([])
    await place.expectService()
    for (const { ws } of clients.slice(0, 10)) ws.close()
    await Promise.all(clients.slice(0, 10).map(({ gone }) => gone))
    await place.enter(place.Mallory, 'private-room.1')
  })

  test('has one allowance of client events for all of its sockets', async () => {
    const place = await create()
    const room = 'private-room.1'
    const ann = await place.enter(place.Ann, room)
    const clients = await enterAll(place, place.Mallory, room, 40)
    const before = bytesRead([...clients, ann])
    const filler = 'x'.repeat(10_000)
    for (const client of clients) for (let n = 0; n < 10; n++) client.say('client-flood', { filler }, room)
    await place.expectService()
    await answered([...clients, ann])
    // Four million bytes at once, and one more each second; it was 400 events of 10 kB for 40 sockets.
    expect(bytesRead([...clients, ann]) - before).toBeLessThan(16 * MB)
    expect(ann.heard('client-flood').length).toBeLessThan(40)
    expect(clients.flatMap((client) => client.heard('pusher:error'))[0]!.data.code).toBe(4301)

    const small = await enterAll(place, place.Ann, 'private-room.2', 8)
    for (const client of small) for (let n = 0; n < 10; n++) client.say('client-typing', {}, 'private-room.2')
    await answered(small)
    const heard = small[0]!.heard('client-typing').length
    expect(heard, 'another member is not concerned').toBeGreaterThan(20)
    expect(heard).toBeLessThan(60)
  })

  test('tells nobody that it comes and goes a thousand times', async () => {
    const place = await create()
    const club = 'presence-club.1'
    const ann = await place.enter(place.Ann, club)
    const clients = await many(20, () => connect(place.url))
    const signed = await many(20, async (n) => (await place.sign(place.Mallory, clients[n]!.id, club)).body)
    const before = bytesRead([ann])
    for (let n = 0; n < 200; n++)
      for (const [index, client] of clients.entries()) {
        client.subscribe(club, signed[index])
        client.unsubscribe(club)
      }
    await place.expectService()
    await answered(clients)
    await ann.sync()
    expect(ann.heard('pusher_internal:member_added').length).toBeLessThanOrEqual(1)
    expect(ann.heard('pusher_internal:member_removed').length).toBeLessThanOrEqual(1)
    expect(bytesRead([ann]) - before).toBeLessThan(5000)
    const refusals = clients.flatMap((client) => client.heard('pusher:subscription_error'))
    const closed = clients.filter(({ ws }) => ws.readyState !== ws.OPEN)
    expect(refusals.length + closed.length).toBeGreaterThan(0)
    for (const { data } of refusals) expect(data).toMatchObject({ type: 'LimitReached', status: 429 })
  })

  test('is answered with so many lists of members, and no more', async () => {
    const place = await create()
    const { config, realtime } = place
    const club = 'presence-club.1'
    // As if a large community were there: a list of 300 kB.
    const { presence } = (
      realtime as unknown as { channels: { presence: { join(...args: unknown[]): void } } }
    ).channels
    const name = 'N'.repeat(100)
    for (let id = 10_000; id < 12_500; id++) presence.join('other process', club, String(id), { name })
    expect(config.RATE_LIMIT).toBe(true)
    const clients = await enterAll(place, place.Mallory, club, 10)
    const before = bytesRead(clients)
    for (let n = 0; n < 20; n++) for (const client of clients) client.subscribe(club)
    await place.expectService()
    await answered(clients)
    expect(bytesRead(clients) - before).toBeLessThan(30 * MB)
  })
})

describe('one address', () => {
  test('has its connections closed when it says too much', async () => {
    const place = await create()
    const other = await listener(place.url, 'open')
    const clients = await many(100, () => connect(place.url))
    const filler = 'x'.repeat(60_000)
    for (const client of clients) for (let n = 0; n < 12; n++) client.say('pusher:ping', { filler })
    await place.expectService()
    await Promise.all(clients.map((client) => Promise.race([client.gone, client.sync().catch(() => {})])))
    expect(clients.filter(({ ws }) => ws.readyState !== ws.OPEN).length).toBeGreaterThan(0)
    expect(other.ws.readyState, 'who says nothing stays').toBe(other.ws.OPEN)
  })

  test('is cut off when it pings without end', async () => {
    const { url, expectService } = await create()
    const client = await connect(url)
    // `ws` itself cuts off a client that sends many pings at once.
    for (let n = 0; n < 5000 && client.ws.readyState === client.ws.OPEN; n++) {
      client.ws.ping('x'.repeat(100))
      if (n % 10 === 9) await turn()
    }
    await expectService()
    expect((await client.gone).code).toBe(4100)
  })

  test('opens a thousand connections, and then twenty a second', async () => {
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

/** The status of a handshake. A connection that was opened is closed again. */
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
