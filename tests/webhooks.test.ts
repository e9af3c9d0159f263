import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import Publisher from 'pusher'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { WEBHOOK_DELAYS as defaultWaits, startWebhooks, WebhookQueue } from '#core/realtime/webhooks.ts'
import { eventually } from '#tests/eventually.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'
import { jobDatabase } from '#tests/jobs.ts'
import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'
import { authFields, connectPusher, connectSubscribed, realtimeApp } from '#tests/sockets.ts'

const SECRET = 'the secret of all processes'
const pusher = new Publisher({ appId: 'engawa', key: 'engawa', secret: SECRET, host: 'nowhere.example' })

type ReceivedEvent = Record<string, string>

/**
 * Starts an HTTP server that receives webhooks and checks their signatures. It responds to the first requests
 * with `statuses`, and to all later ones with 200.
 */
async function receiver(...statuses: number[]) {
  const receivedEvents: ReceivedEvent[] = []
  const tries: string[] = []
  const server = createServer(async (request, response) => {
    const rawBody = Buffer.concat(await request.toArray()).toString()
    tries.push(rawBody)
    const webhook = pusher.webhook({ headers: request.headers as never, rawBody })
    expect([request.method, webhook.isValid()]).toEqual(['POST', true])
    expect(Math.abs(webhook.getTime().getTime() - Date.now())).toBeLessThan(60_000)
    const status = statuses.shift() ?? 200
    if (status === 200) receivedEvents.push(...(webhook.getEvents() as unknown as ReceivedEvent[]))
    response.writeHead(status).end('a body')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks?token=x`
  return { url, receivedEvents, tries, names: () => receivedEvents.map(({ name }) => name) }
}
const presence = (id: string, name: string, user: string) =>
  authFields(SECRET, id, name, JSON.stringify({ user_id: user }))
describe.each(dialectsInTurn())('webhooks on %s', (dialect) => {
  test('are sent for channels, members, client events and cache misses, with Pusher’s signature', async () => {
    const { url: WEBHOOK_URL, receivedEvents, names } = await receiver()
    const { url } = await realtimeApp({ dialect, env: { WEBHOOK_URL, PUSHER_APP_SECRET: SECRET } })
    const club = 'presence-club.x'
    const enter = (user: string) => connectSubscribed(url, club, (id) => presence(id, club, user))
    const [ann, ben] = [await enter('ann'), await enter('7')]
    ben.send('client-wave', { hands: 2 }, club)
    await ann.nextMessage('client-wave')
    ann.subscribe('cache-x')
    await ann.nextMessage('pusher:cache_miss')
    await eventually(() => expect(names()).toContain('cache_miss'))
    for (const { ws } of [ben, ann]) ws.close()
    await eventually(() => expect(names().filter((name) => name === 'channel_vacated')).toHaveLength(2))
    const of = (wanted: string) => receivedEvents.filter(({ name }) => name === wanted)
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

  test('are not sent for a channel that is subscribed again at once, nor for a user’s own channel', async () => {
    const { url: WEBHOOK_URL, receivedEvents } = await receiver()
    const { url, realtime } = await realtimeApp({
      dialect,
      env: { WEBHOOK_URL, PUSHER_APP_SECRET: SECRET },
    })
    const client = await connectPusher(url)
    client.send('pusher:signin', pusher.authenticateUser(client.id, { id: 'ann' }))
    client.subscribe('#server-to-user-ann')
    for (let n = 0; n < 20; n++) {
      client.subscribe('open')
      client.unsubscribe('open')
    }
    client.subscribe('open')
    await client.sync()
    await eventually(() => expect(receivedEvents).toEqual([{ name: 'channel_occupied', channel: 'open' }]))
    await realtime.close()
    await eventually(() =>
      expect(receivedEvents.slice(1)).toEqual([{ name: 'channel_vacated', channel: 'open' }]),
    )
  })

  /**
   * Creates a database. Returns it with `start`, which starts a queue for webhooks and the jobs that send
   * them, as a server process does. The jobs are stopped after the test.
   */
  async function openWebhooks(
    WEBHOOK_URL: string,
    { waits = [20, 20], ...limits }: { waits?: readonly number[]; events?: number; requests?: number } = {},
  ) {
    const { db } = await jobDatabase(dialect)
    const config = { WEBHOOK_URL, PUSHER_APP_KEY: 'engawa', PUSHER_APP_SECRET: SECRET }
    const warn = vi.fn()
    const log = { info: vi.fn(), warn, error: vi.fn() } as never
    const start = () => {
      const webhooks = new WebhookQueue(config, db, log, limits)
      const jobs = startWebhooks(config, db, log, waits)
      onTestFinished(() => jobs.close())
      return { jobs, add: (channel: string) => webhooks.add({ name: 'channel_occupied', channel }), webhooks }
    }
    return { db, warn, start, jobs: () => readRows(db, 'jobs') }
  }
  const channelsOf = (events: readonly ReceivedEvent[]) => events.map(({ channel }) => channel)

  test('are tried again, and given up after the last attempt', async () => {
    const { url, receivedEvents, tries } = await receiver(500, 302, 200, 404, 404, 404)
    const { start, warn, jobs } = await openWebhooks(url)
    const { add } = start()
    add('a')
    await eventually(() => expect(channelsOf(receivedEvents)).toEqual(['a']))
    expect(new Set(tries).size, 'the same body each time').toBe(1)
    add('b')
    await eventually(() => expect(tries).toHaveLength(6))
    add('c')
    await eventually(() => expect(channelsOf(receivedEvents)).toEqual(['a', 'c']))
    const givenUp = warn.mock.calls.filter(([facts]) => facts.givenUp)
    expect(givenUp).toEqual([
      [expect.objectContaining({ kind: 'webhook', reason: 'Status 404', attempts: 3 }), 'Job failed'],
    ])
    await eventually(async () =>
      expect((await jobs()).map(({ kind, payload, failed_at }) => [kind, payload, !failed_at])).toEqual([
        ['webhook', null, true],
        ['webhook', null, false],
        ['webhook', null, true],
      ]),
    )
  })

  test('are tried again for five minutes', async () => {
    const { url, tries } = await receiver(...Array(10).fill(500))
    const { start, jobs } = await openWebhooks(url, { waits: defaultWaits })
    start().add('a')
    await eventually(() => expect(tries).toHaveLength(1))
    await eventually(async () => expect(await jobs()).toMatchObject([{ last_error: 'Status 500' }]))
    expect(defaultWaits.length).toBe(9)
    expect(defaultWaits.reduce((sum, wait) => sum + wait)).toBe(300_000)
  })

  test('that a process could not send are signed again and sent by the next process', async () => {
    const { url, receivedEvents, tries } = await receiver(503, 503)
    const { start, jobs } = await openWebhooks(url, { waits: [1000] })
    const first = start()
    first.add('a')
    await eventually(() => expect(tries).toHaveLength(1))
    await first.jobs.close()
    first.add('b')
    await first.webhooks.close()
    expect(await jobs()).toHaveLength(2)
    expect(channelsOf(receivedEvents)).toEqual([])
    start()
    await eventually(() => expect(channelsOf(receivedEvents).sort()).toEqual(['a', 'b']))
  })

  test('hold up no stop of the process: the one under way is given back', async () => {
    const asked = Promise.withResolvers<void>()
    const silent = createServer(() => asked.resolve()).listen(0, '127.0.0.1')
    onTestFinished(() => {
      silent.close().closeAllConnections()
    })
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const { start, jobs } = await openWebhooks(`http://127.0.0.1:${port}`)
    const first = start()
    first.add('a')
    await asked.promise
    await first.jobs.close()
    expect(await jobs()).toMatchObject([{ attempts: 0, leased_by: null, payload: expect.any(String) }])
  })

  test('wait in memory while the database is away', async () => {
    const { url, receivedEvents } = await receiver()
    const { db, start, warn } = await openWebhooks(url)
    const { add } = start()
    const rename = (from: string, to: string) =>
      transaction(db, (tx) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(tx))
    await rename('jobs', 'away')
    add('a')
    await eventually(() =>
      expect(warn).toHaveBeenCalledWith(expect.objectContaining({ events: 1 }), 'Webhooks were not stored'),
    )
    add('b')
    await rename('away', 'jobs')
    await eventually(() => expect(channelsOf(receivedEvents)).toEqual(['a', 'b']))
  })

  test('are stored together: one job has a hundred events, or 128 kB of data', async () => {
    const { url, receivedEvents, tries } = await receiver()
    const { start, jobs } = await openWebhooks(url)
    const { add, webhooks } = start()
    for (let n = 0; n < 250; n++) add(`c${n}`)
    const said = { name: 'client_event', event: 'client-x', socket_id: '1.2' } as const
    for (let n = 0; n < 30; n++) webhooks.add({ ...said, channel: `d${n}`, data: 'x'.repeat(10_000) })
    await eventually(() => expect(receivedEvents).toHaveLength(280))
    expect(channelsOf(receivedEvents).slice(0, 250)).toEqual(Array.from({ length: 250 }, (_, n) => `c${n}`))
    // Expects that the third request (63 events) contains the last 50 channel events and the first 13 client
    // events.
    const sizes = tries.map((body) => JSON.parse(body).events.length)
    expect(sizes).toEqual([100, 100, 63, 13, 4])
    expect(await jobs()).toHaveLength(5)
  })

  test('are dropped when too many wait, and the log has their number', async () => {
    const { url } = await receiver(...Array(100).fill(500))
    const { start, warn, jobs } = await openWebhooks(url, { waits: [60_000], events: 350, requests: 3 })
    const { add, webhooks } = start()
    for (let n = 0; n < 400; n++) add(`c${n}`)
    await webhooks.close()
    expect(await jobs()).toHaveLength(3)
    const dropped = () => warn.mock.calls.filter(([, line]) => line.startsWith('Webhooks were dropped'))
    // Expects 100 dropped events: 50 that did not fit into memory, and a batch of 50 that did not fit into
    // the table `jobs`.
    expect(dropped()).toEqual([[{ events: 100 }, 'Webhooks were dropped: too many wait']])
  })

  test('store nothing without WEBHOOK_URL', async () => {
    const { url, db, realtime } = await realtimeApp({ dialect })
    const client = await connectSubscribed(url, 'open')
    client.ws.close()
    await client.whenClosed
    await realtime.close()
    expect(await readRows(db, 'jobs')).toEqual([])
  })

  if (dialect === 'postgres')
    test.skipIf(!findRedis())('are sent once for an event that several processes see', async () => {
      const { url: WEBHOOK_URL, receivedEvents, names } = await receiver()
      const redis = await startRedis()
      onTestFinished(() => redis.stop())
      const env = {
        DATABASE_URL: inject('postgres')!,
        REDIS_URL: redis.url,
        SECRET: 'the secret of both processes: cookies and sessions',
        PUSHER_APP_SECRET: SECRET,
        WEBHOOK_URL,
      }
      const first = await realtimeApp({ dialect: 'postgres', env })
      const club = 'presence-club.x'
      const enter = (url: string, user: string) =>
        connectSubscribed(url, club, (id) => presence(id, club, user))
      const one = await enter(first.url, 'ann')
      // Starts a second process. It learns the members of the channel from the first one, and sends no
      // webhooks about them.
      const second = await realtimeApp({ dialect: 'postgres', env, sameDataAs: first.sameData })
      await eventually(() => expect(second.realtime.memberIds(club)).toEqual(['ann']))
      const others = [await enter(second.url, 'ann'), await enter(second.url, 'ben')]
      await connectSubscribed(second.url, 'last')
      await eventually(() => expect(receivedEvents.map(({ channel }) => channel)).toContain('last'))
      one.ws.close()
      await eventually(() => expect(first.realtime.memberIds(club)).toHaveLength(2))
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
    })
})
