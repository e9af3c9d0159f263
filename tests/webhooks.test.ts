import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Publisher from 'pusher'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { Webhooks } from '#core/realtime/webhooks.ts'
import { dialects } from '#tests/harness.ts'
import { startRedis } from '#tests/redis.ts'
import { findRedis } from '#tests/services.ts'
import { connect, createTestServer, listener, signature } from '#tests/sockets.ts'

const SECRET = 'the secret of all processes'
const pusher = new Publisher({ appId: 'engawa', key: 'engawa', secret: SECRET, host: 'nowhere.example' })

type Told = Record<string, string>

/** A server of the operator's. It refuses what `statuses` says, one status a request, and checks all signatures. */
async function receiver(...statuses: number[]) {
  const told: Told[] = []
  const tries: string[] = []
  const server = createServer(async (request, response) => {
    const rawBody = Buffer.concat(await request.toArray()).toString()
    tries.push(rawBody)
    const webhook = pusher.webhook({ headers: request.headers as never, rawBody })
    expect([request.method, webhook.isValid()]).toEqual(['POST', true])
    expect(Math.abs(webhook.getTime().getTime() - Date.now())).toBeLessThan(60_000)
    const status = statuses.shift() ?? 200
    if (status === 200) told.push(...(webhook.getEvents() as unknown as Told[]))
    response.writeHead(status).end('a body')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks?token=x`
  return { url, told, tries, names: () => told.map(({ name }) => name) }
}
const presence = (id: string, name: string, user: string) =>
  signature(SECRET, id, name, JSON.stringify({ user_id: user }))
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 50 })

describe('webhooks', () => {
  test('tell of channels, members, client events and misses, signed as Pusher’s', async () => {
    const { url: WEBHOOK_URL, told, names } = await receiver()
    const { url } = await createTestServer({ env: { WEBHOOK_URL, PUSHER_APP_SECRET: SECRET } })
    const club = 'presence-club.x'
    const enter = (user: string) => listener(url, club, (id) => presence(id, club, user))
    const [ann, ben] = [await enter('ann'), await enter('7')]
    ben.say('client-wave', { hands: 2 }, club)
    await ann.take('client-wave')
    ann.subscribe('cache-x')
    await ann.take('pusher:cache_miss')
    await eventually(() => expect(names()).toContain('cache_miss'))
    for (const { ws } of [ben, ann]) ws.close()
    await eventually(() => expect(names().filter((name) => name === 'channel_vacated')).toHaveLength(2))
    const of = (wanted: string) => told.filter(({ name }) => name === wanted)
    expect(of('channel_occupied').map(({ channel }) => channel)).toEqual([club, 'cache-x'])
    expect(
      of('channel_vacated')
        .map(({ channel }) => channel)
        .sort(),
    ).toEqual(['cache-x', club])
    for (const name of ['member_added', 'member_removed'])
      expect(of(name).sort((a, b) => (a.user_id! > b.user_id! ? 1 : -1))).toEqual([
        { name, channel: club, user_id: '7' },
        { name, channel: club, user_id: 'ann' },
      ])
    expect(of('client_event')).toEqual([
      {
        name: 'client_event',
        channel: club,
        event: 'client-wave',
        data: '{"hands":2}',
        socket_id: ben.id,
        user_id: '7',
      },
    ])
    expect(of('cache_miss')).toEqual([{ name: 'cache_miss', channel: 'cache-x' }])
  })

  test('do not tell of who is back at once, nor of a user’s own channel', async () => {
    const { url: WEBHOOK_URL, told } = await receiver()
    const { url, realtime } = await createTestServer({ env: { WEBHOOK_URL, PUSHER_APP_SECRET: SECRET } })
    const client = await connect(url)
    client.say('pusher:signin', pusher.authenticateUser(client.id, { id: 'ann' }))
    client.subscribe('#server-to-user-ann')
    for (let n = 0; n < 20; n++) {
      client.subscribe('open')
      client.unsubscribe('open')
    }
    client.subscribe('open')
    await client.sync()
    await eventually(() => expect(told).toEqual([{ name: 'channel_occupied', channel: 'open' }]))
    await realtime.close()
    await eventually(() => expect(told.slice(1)).toEqual([{ name: 'channel_vacated', channel: 'open' }]))
  })

  test('are tried again, in their order, and given up after the last try', async () => {
    const { url: WEBHOOK_URL, told, tries } = await receiver(500, 302, 200, 404, 404, 404)
    const warn = vi.fn()
    const config = { WEBHOOK_URL, PUSHER_APP_KEY: 'engawa', PUSHER_APP_SECRET: SECRET }
    const webhooks = new Webhooks(config, { warn } as never, [20, 20])
    webhooks.add({ name: 'channel_occupied', channel: 'a' })
    await eventually(() => expect(tries.length).toBeGreaterThan(0))
    webhooks.add({ name: 'channel_occupied', channel: 'b' })
    await eventually(() => expect(tries).toHaveLength(6))
    webhooks.add({ name: 'channel_occupied', channel: 'c' })
    await eventually(() => expect(told.map(({ channel }) => channel)).toEqual(['a', 'c']))
    expect(new Set(tries.slice(0, 3)).size, 'the same body each time').toBe(1)
    expect(warn.mock.calls).toEqual([[{ reason: 'status 404', events: 1 }, 'Webhooks were not delivered']])
    await webhooks.close()
  })

  test('wait in a queue that ends, and one request has a hundred', async () => {
    const { url: WEBHOOK_URL, told, tries } = await receiver()
    const warn = vi.fn()
    const config = { WEBHOOK_URL, PUSHER_APP_KEY: 'engawa', PUSHER_APP_SECRET: SECRET }
    const webhooks = new Webhooks(config, { warn } as never)
    for (let n = 0; n < 10_050; n++) webhooks.add({ name: 'channel_occupied', channel: `c${n}` })
    await webhooks.close()
    expect([told.length, tries.length]).toEqual([10_000, 100])
    expect(warn.mock.calls).toEqual([[{ events: 50 }, 'Webhooks were dropped: too many wait']])
  })

  test('hold up no stop of the process', async () => {
    const warn = vi.fn()
    const config = { WEBHOOK_URL: 'http://127.0.0.1:9', PUSHER_APP_KEY: 'engawa', PUSHER_APP_SECRET: SECRET }
    const webhooks = new Webhooks(config, { warn } as never)
    for (let n = 0; n < 500; n++) webhooks.add({ name: 'channel_occupied', channel: `c${n}` })
    await webhooks.close()
    expect(warn).toHaveBeenCalledTimes(1)
  })

  test.skipIf(!findRedis() || !dialects.includes('postgres'))(
    'tell once of what all processes see',
    async () => {
      const { url: WEBHOOK_URL, told, names } = await receiver()
      const redis = await startRedis()
      onTestFinished(() => redis.stop())
      const env = {
        DATABASE_URL: inject('postgres')!,
        REDIS_URL: redis.url,
        SECRET: 'the secret of both processes: cookies and sessions',
        PUSHER_APP_SECRET: SECRET,
        WEBHOOK_URL,
      }
      const first = await createTestServer({ dialect: 'postgres', env })
      const club = 'presence-club.x'
      const enter = (url: string, user: string) => listener(url, club, (id) => presence(id, club, user))
      const one = await enter(first.url, 'ann')
      // It learns of those who are there, and tells nobody.
      const second = await createTestServer({ dialect: 'postgres', env, beside: first.beside })
      await vi.waitFor(() => expect(second.realtime.memberIds(club)).toEqual(['ann']))
      const others = [await enter(second.url, 'ann'), await enter(second.url, 'ben')]
      await listener(second.url, 'last')
      await eventually(() => expect(told.map(({ channel }) => channel)).toContain('last'))
      one.ws.close()
      await vi.waitFor(() => expect(first.realtime.memberIds(club)).toHaveLength(2))
      for (const { ws } of others) ws.close()
      await eventually(() => expect(names()).toContain('channel_vacated'))
      await eventually(() => expect(names().filter((name) => name === 'member_removed')).toHaveLength(2))
      const counts = Object.groupBy(names(), (name) => name!)
      expect(Object.fromEntries(Object.entries(counts).map(([name, all]) => [name, all!.length]))).toEqual({
        channel_occupied: 2,
        channel_vacated: 1,
        member_added: 2,
        member_removed: 2,
      })
    },
  )
})
