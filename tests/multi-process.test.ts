import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { migratedPostgres } from '#tests/migrated-databases.ts'
import { chatChannel, memberAt, subscribeAt } from '#tests/multi-process.ts'
import { startRedis, startRedisCluster } from '#tests/redis.ts'
import { type AxiosMember, axiosMember, axiosVisitor, PASSWORD as password } from '#tests/sanctum.ts'
import { failedStart, type RunningServer, serverFolder, startServer } from '#tests/server.ts'
import { dropDatabase, queryPostgres } from '#tests/services.ts'
import { connectSubscribed } from '#tests/sockets.ts'

// Tests server processes of one community, which share only a PostgreSQL server, a Redis server, and a folder
// or a bucket.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** The databases of all communities. */
const databases: string[] = []
afterAll(async () => {
  for (const url of databases) await dropDatabase(url)
})
async function createDatabase() {
  const url = await migratedPostgres()
  databases.push(url)
  return url
}

/** Starts a community with `n` server processes that share a database, Redis and a data folder. */
async function community(redis: string, n: number, env: Record<string, string> = {}) {
  const shared = {
    DATABASE_URL: await createDatabase(),
    REDIS_URL: redis,
    DATA_DIR: await serverFolder(),
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
    ...env,
  }
  const servers: RunningServer[] = []
  const open = () => startServer(shared)
  for (let i = 0; i < n; i++) servers.push(await open())
  return {
    servers,
    database: shared.DATABASE_URL,
    open,
    urls: servers.map(({ url }) => url),
    stop: () => Promise.all(servers.map((server) => server.stop())),
  }
}

describe.each([
  ['one Redis', startRedis],
  ['a Redis cluster of three', startRedisCluster],
] as const)('two processes that share %s', (_, startIt) => {
  let redis: Awaited<ReturnType<typeof startIt>>
  let processes: Awaited<ReturnType<typeof community>>
  let a: string
  let b: string
  let ann: AxiosMember
  let ben: AxiosMember
  let group: number
  beforeAll(async () => {
    redis = await startIt()
    processes = await community(redis.url, 2)
    ;[a, b] = processes.urls as [string, string]
    ann = await axiosMember(a, 'Ann')
    ben = await axiosMember(b, 'Ben')
    await memberAt(ann, a).post(`/api/follow/${ben.id}`)
    await memberAt(ben, b).post(`/api/follow/${ann.id}`)
    group = (await memberAt(ann, a).post('/api/groups', { name: 'Neighbours' })).data.group.id
    await memberAt(ann, b).post(`/api/groups/${group}/add-user`, { user_id: ben.id })
    return async () => {
      await processes.stop()
      await redis.stop()
    }
  })

  test('a session of one process is valid in the other, with its token', async () => {
    expect((await memberAt(ann, b).get('/api/user')).data.name).toBe('Ann')
    expect((await memberAt(ann, b).post('/api/profile', { name: 'Ann', bio: 'At both.' })).status).toBe(200)
    expect((await memberAt(ann, a).get('/api/profile')).data.bio).toBe('At both.')
  })

  test('who can join, changed at one process, holds for registrations at the other', async () => {
    const there = axiosVisitor(b)
    await there.csrf()
    // Registers with the email address of a member. So a registration that the setting allows is refused with
    // 422 and creates no account.
    const account = { name: 'Cho', email: ann.email, password, password_confirmation: password }
    const register = async () => (await there.http.post('/api/register', account)).status
    for (const who_can_join of ['closed', 'open']) {
      await memberAt(ann, a).patch('/api/admin/settings', { who_can_join })
      await expect.poll(register, { timeout: 20_000 }).toBe(who_can_join === 'closed' ? 403 : 422)
    }
  })

  test('clients of one process receive what was sent at the other: messages, changes, read marks, client events, the public chat', async () => {
    const annHere = await subscribeAt(ann, a, chatChannel(ann, ben))
    const benThere = await subscribeAt(ben, b, chatChannel(ann, ben))
    const { message } = (
      await memberAt(ann, a).post('/api/send-private-message', {
        input: 'Hello there',
        targetUserId: ben.id,
      })
    ).data
    for (const client of [annHere, benThere])
      expect((await client.nextMessage('PrivateMessageSent')).data).toEqual(message)

    benThere.send('client-typing', { on: true }, chatChannel(ann, ben))
    expect(await annHere.nextMessage('client-typing')).toMatchObject({
      data: { on: true },
      user_id: String(ben.id),
    })
    await benThere.sync()
    expect(benThere.received('client-typing'), 'the sender hears no echo').toEqual([])

    await memberAt(ben, b).put(`/api/conversations/${ann.id}/read`, {
      last_read_id: message.id,
    })
    expect((await annHere.nextMessage('MessagesRead')).data).toEqual({
      user_id: ben.id,
      last_read_id: message.id,
    })
    await memberAt(ann, b).delete(`/api/chat-messages/${message.id}`)
    expect((await annHere.nextMessage('PrivateMessageChanged')).data.id).toBe(message.id)

    const club = [
      await subscribeAt(ann, a, `private-group-chat.${group}`),
      await subscribeAt(ben, b, `private-group-chat.${group}`),
    ]
    await memberAt(ben, a).post('/api/group-messages/send', {
      message: 'To all',
      group_id: group,
    })
    for (const client of club)
      expect((await client.nextMessage('GroupMessageSent')).data).toMatchObject({
        message: 'To all',
        groupId: group,
      })

    const open = [await connectSubscribed(a, 'chat'), await connectSubscribed(b, 'chat')]
    await memberAt(ann, b).post('/api/send-message', { message: 'Good evening' })
    for (const client of open)
      expect((await client.nextMessage('MessageSent')).data).toEqual({ message: 'Good evening' })
  })

  test('messages of a chat arrive in the order of their ids in all processes', async () => {
    const clients = [
      await subscribeAt(ann, a, chatChannel(ann, ben)),
      await subscribeAt(ben, b, chatChannel(ann, ben)),
    ]
    const sends = Array.from({ length: 40 }, (_, n) =>
      memberAt(n % 2 ? ann : ben, n % 4 < 2 ? a : b).post('/api/send-private-message', {
        input: `${n}`,
        targetUserId: n % 2 ? ben.id : ann.id,
      }),
    )
    const ids = (await Promise.all(sends))
      .map(({ data }) => data.message.id as number)
      .sort((one, other) => one - other)
    for (const client of clients) {
      const order: number[] = []
      for (const _ of ids) order.push((await client.nextMessage('PrivateMessageSent')).data.id)
      expect(order).toEqual(ids)
    }
  })

  test('the presence list has each member once, over all processes', async () => {
    const room = `presence-group-chat.${group}`
    const first = await subscribeAt(ann, a, room)
    expect(first.ids).toEqual([String(ann.id)])
    const second = await subscribeAt(ben, b, room, a)
    expect(second.ids.sort()).toEqual([ann.id, ben.id].map(String).sort())
    expect((await first.nextMessage('pusher_internal:member_added')).data).toMatchObject({
      user_id: String(ben.id),
      user_info: { name: 'Ben' },
    })

    const again = await subscribeAt(ben, a, room)
    second.ws.close()
    await second.whenClosed
    again.ws.close()
    expect((await first.nextMessage('pusher_internal:member_removed')).data).toEqual({
      user_id: String(ben.id),
    })
    await first.sync()
    expect(first.received('pusher_internal:member_added'), 'a second window is no second coming').toEqual([])
  })

  test('a process that starts later has the full presence list', async () => {
    const room = `presence-group-chat.${group}`
    await subscribeAt(ann, a, room)
    const late = await processes.open()
    await eventually(async () => {
      const come = await subscribeAt(ben, late.url, room)
      come.ws.close()
      expect(come.ids).toContain(String(ann.id))
    })
    await late.stop()
  })

  test('rights that end in one process end in the other: log-out, leaving a group, suspension', async () => {
    const eve = await axiosMember(b, 'Eve')
    await memberAt(ann, a).post(`/api/groups/${group}/add-user`, { user_id: eve.id })
    const inGroup = await subscribeAt(eve, b, `private-group-chat.${group}`, a)
    await memberAt(ann, a).delete(`/api/groups/${group}/members/${eve.id}`)
    expect((await inGroup.nextMessage('pusher:subscription_error')).data).toMatchObject({ status: 403 })

    const own = await subscribeAt(eve, b, `presence-user.${eve.id}`)
    await memberAt(eve, a).post('/logout')
    expect((await own.whenClosed).code).toBe(4009)

    const fay = await axiosMember(a, 'Fay')
    const faysOwn = await subscribeAt(fay, a, `presence-user.${fay.id}`)
    await memberAt(ann, b).put(`/api/admin/users/${fay.id}/suspension`)
    expect((await memberAt(fay, a).get('/api/user')).status).toBe(401)
    expect((await faysOwn.whenClosed).code).toBe(4009)
  })

  test('publishing servers get counts over all processes', async () => {
    await Promise.all([
      connectSubscribed(a, 'news'),
      connectSubscribed(b, 'news'),
      connectSubscribed(b, 'news'),
    ])
    const { default: Pusher } = await import('pusher')
    const { rows } = await queryPostgres(
      processes.database,
      "select value from secrets where name = 'PUSHER_APP_SECRET'",
    )
    const publisher = new Pusher({
      appId: 'engawa',
      key: 'engawa',
      secret: rows[0].value,
      host: '127.0.0.1',
      port: new URL(b).port,
      useTLS: false,
    })
    const params = { info: 'subscription_count' }
    const answer = await publisher.trigger('news', 'Headline', { text: 'Rain' }, params)
    expect(await answer.json()).toEqual({ channels: { news: { subscription_count: 3 } } })
  })

  test('rate limits count requests to both processes', async () => {
    const strict = await community(redis.url, 2, { RATE_LIMIT: 'on' })
    const gus = await axiosMember(strict.urls[0]!, 'Gus')
    const tries = []
    for (let n = 0; n < 7; n++)
      tries.push(
        (await memberAt(gus, strict.urls[n % 2]!).post('/api/email/verification-notification')).status,
      )
    expect(tries).toEqual([200, 200, 200, 200, 200, 200, 429])
    await strict.stop()
  })
})

describe('a start', () => {
  test('fails with one line when Redis does not answer, or when MEDIA_URL or DATABASE_URL is missing', async () => {
    const env = {
      DATABASE_URL: await createDatabase(),
      REDIS_URL: 'redis://127.0.0.1:1',
    }
    expect((await failedStart(env)).output).toMatch(
      /^REDIS_URL takes a Redis, or a cluster, that answers \(connect ECONNREFUSED 127\.0\.0\.1:1\)\.$/m,
    )
    const redis = await startRedis()
    const shared = { DATABASE_URL: await createDatabase(), REDIS_URL: redis.url }
    const first = await startServer(shared)
    expect((await failedStart(shared)).output, 'pictures would be in two folders').toMatch(
      /^MEDIA_URL is needed/m,
    )
    await first.stop()
    await redis.stop()
    expect((await failedStart({ REDIS_URL: 'redis://127.0.0.1:1' })).output).toMatch(
      /^REDIS_URL joins processes that share a database: it needs DATABASE_URL\.$/m,
    )
  })
})
