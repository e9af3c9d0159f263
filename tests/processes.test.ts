import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { at, enter, pair, ready, type Somebody } from '#tests/process-clients.ts'
import { startRedis, startRedisCluster } from '#tests/redis.ts'
import { s3Env, startS3 } from '#tests/s3.ts'
import { file, form, member, picture, visitor } from '#tests/sanctum.ts'
import { freshFolder, refusedStart, type Server, startServer } from '#tests/server.ts'
import { ask, createDatabase, startOwnPostgres } from '#tests/services.ts'
import { listener } from '#tests/sockets.ts'

// Real processes that share only a PostgreSQL, a Redis, and a folder or a bucket.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const postgres = (await startOwnPostgres())!
afterAll(() => postgres.stop())

/** A community on `n` processes. */
async function community(redis: string, n: number, env: Record<string, string> = {}) {
  const shared = {
    DATABASE_URL: await createDatabase(postgres.url),
    REDIS_URL: redis,
    DATA_DIR: await freshFolder(),
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
    ...env,
  }
  const open = () => startServer(shared)
  const servers: Server[] = []
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
  let place: Awaited<ReturnType<typeof community>>
  let a: string
  let b: string
  let ann: Somebody
  let ben: Somebody
  let group: number
  beforeAll(async () => {
    redis = await startIt()
    place = await community(redis.url, 2)
    ;[a, b] = place.urls as [string, string]
    ann = await member(a, 'Ann')
    ben = await member(b, 'Ben')
    await at(ann, a).post(`/api/follow/${ben.id}`)
    await at(ben, b).post(`/api/follow/${ann.id}`)
    group = (await at(ann, a).post('/api/groups', { name: 'Neighbours' })).data.group.id
    await at(ann, b).post(`/api/groups/${group}/add-user`, { user_id: ben.id })
    return async () => {
      await place.stop()
      await redis.stop()
    }
  })

  test('a session of one is a session of the other, with its token', async () => {
    expect((await at(ann, b).get('/api/user')).data.name).toBe('Ann')
    expect((await at(ann, b).post('/api/profile', { name: 'Ann', bio: 'At both.' })).status).toBe(200)
    expect((await at(ann, a).get('/api/profile')).data.bio).toBe('At both.')
  })

  test('what is said at one is heard at the other: messages, changes, reads, whispers, the public chat', async () => {
    const annHere = await enter(ann, a, pair(ann, ben))
    const benThere = await enter(ben, b, pair(ann, ben))
    const { message } = (
      await at(ann, a).post('/api/send-private-message', { input: 'Hello there', targetUserId: ben.id })
    ).data
    for (const client of [annHere, benThere])
      expect((await client.take('PrivateMessageSent')).data).toEqual(message)

    benThere.say('client-typing', { on: true }, pair(ann, ben))
    expect(await annHere.take('client-typing')).toMatchObject({ data: { on: true }, user_id: String(ben.id) })
    await benThere.sync()
    expect(benThere.heard('client-typing'), 'the sender hears no echo').toEqual([])

    await at(ben, b).put(`/api/conversations/${ann.id}/read`, { last_read_id: message.id })
    expect((await annHere.take('MessagesRead')).data).toEqual({ user_id: ben.id, last_read_id: message.id })
    await at(ann, b).delete(`/api/chat-messages/${message.id}`)
    expect((await annHere.take('PrivateMessageChanged')).data.id).toBe(message.id)

    const club = [
      await enter(ann, a, `private-group-chat.${group}`),
      await enter(ben, b, `private-group-chat.${group}`),
    ]
    await at(ben, a).post('/api/group-messages/send', { message: 'To all', group_id: group })
    for (const client of club)
      expect((await client.take('GroupMessageSent')).data).toMatchObject({
        message: 'To all',
        groupId: group,
      })

    const open = [await listener(a, 'chat'), await listener(b, 'chat')]
    await at(ann, b).post('/api/send-message', { message: 'Good evening' })
    for (const client of open)
      expect((await client.take('MessageSent')).data).toEqual({ message: 'Good evening' })
  })

  test('an order that one process gives, all keep: messages of one chat come in the order of their ids everywhere', async () => {
    const heard = [await enter(ann, a, pair(ann, ben)), await enter(ben, b, pair(ann, ben))]
    const sends = Array.from({ length: 40 }, (_, n) =>
      at(n % 2 ? ann : ben, n % 4 < 2 ? a : b).post('/api/send-private-message', {
        input: `${n}`,
        targetUserId: n % 2 ? ben.id : ann.id,
      }),
    )
    const ids = (await Promise.all(sends))
      .map(({ data }) => data.message.id as number)
      .sort((one, other) => one - other)
    for (const client of heard) {
      const order: number[] = []
      for (const _ of ids) order.push((await client.take('PrivateMessageSent')).data.id)
      expect(order).toEqual(ids)
    }
  })

  test('who is here is one list, in which each stands once', async () => {
    const room = `presence-group-chat.${group}`
    const first = await enter(ann, a, room)
    expect(first.ids).toEqual([String(ann.id)])
    const second = await enter(ben, b, room, a)
    expect(second.ids.sort()).toEqual([ann.id, ben.id].map(String).sort())
    expect((await first.take('pusher_internal:member_added')).data).toMatchObject({
      user_id: String(ben.id),
      user_info: { name: 'Ben' },
    })

    const again = await enter(ben, a, room)
    second.ws.close()
    await second.gone
    again.ws.close()
    expect((await first.take('pusher_internal:member_removed')).data).toEqual({ user_id: String(ben.id) })
    await first.sync()
    expect(first.heard('pusher_internal:member_added'), 'a second window is no second coming').toEqual([])
  })

  test('who starts later knows who is here', async () => {
    const room = `presence-group-chat.${group}`
    await enter(ann, a, room)
    const late = await place.open()
    await vi.waitFor(
      async () => {
        const come = await enter(ben, late.url, room)
        come.ws.close()
        expect(come.ids).toContain(String(ann.id))
      },
      { timeout: 20_000 },
    )
    await late.stop()
  })

  test('rights that end at one end at the other: log-out, leaving a group, suspension', async () => {
    const eve = await member(b, 'Eve')
    await at(ann, a).post(`/api/groups/${group}/add-user`, { user_id: eve.id })
    const inGroup = await enter(eve, b, `private-group-chat.${group}`, a)
    await at(ann, a).delete(`/api/groups/${group}/members/${eve.id}`)
    expect((await inGroup.take('pusher:subscription_error')).data).toMatchObject({ status: 403 })

    const own = await enter(eve, b, `presence-user.${eve.id}`)
    await at(eve, a).post('/logout')
    expect((await own.gone).code).toBe(4009)

    const fay = await member(a, 'Fay')
    const faysOwn = await enter(fay, a, `presence-user.${fay.id}`)
    await at(ann, b).put(`/api/admin/users/${fay.id}/suspension`)
    expect((await at(fay, a).get('/api/user')).status).toBe(401)
    expect((await faysOwn.gone).code).toBe(4009)
  })

  test('servers that publish count what listens anywhere', async () => {
    await Promise.all([listener(a, 'news'), listener(b, 'news'), listener(b, 'news')])
    const { default: Pusher } = await import('pusher')
    const { rows } = await ask(place.database, "select value from secrets where name = 'PUSHER_APP_SECRET'")
    const publisher = new Pusher({
      appId: 'engawa',
      key: 'engawa',
      secret: rows[0].value,
      host: '127.0.0.1',
      port: new URL(b).port,
      useTLS: false,
    })
    const answer = await publisher.trigger(
      'news',
      'Headline',
      { text: 'Rain' },
      { info: 'subscription_count' },
    )
    expect(await answer.json()).toEqual({ channels: { news: { subscription_count: 3 } } })
  })

  test('limits count what comes to both', async () => {
    const strict = await community(redis.url, 2, { RATE_LIMIT: 'on' })
    const gus = await member(strict.urls[0]!, 'Gus')
    const tries = []
    for (let n = 0; n < 7; n++)
      tries.push((await at(gus, strict.urls[n % 2]!).post('/api/email/verification-notification')).status)
    expect(tries).toEqual([200, 200, 200, 200, 200, 200, 429])
    await strict.stop()
  })
})

test('three processes with a folder each and one bucket: a picture that one took is shown by the others, and so is its going', async () => {
  const [redis, s3] = [await startRedis(), await startS3()]
  const env = {
    ...s3Env,
    DATABASE_URL: await createDatabase(postgres.url),
    REDIS_URL: redis.url,
    MEDIA_URL: s3.mediaUrl,
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
  }
  const servers = [await startServer(env), await startServer(env), await startServer(env)]
  const [a, b, c] = servers.map(({ url }) => url) as [string, string, string]
  const ann = await member(a, 'Ann')
  const photo = file(await picture(900, 600, 'jpeg'), 'photo.jpg')
  const { data } = await ann.http.post(
    `${a}/api/posts`,
    form({ text: 'From one to all', 'images[]': [photo, photo] }),
  )
  const paths = data.post.images.map(({ path }: { path: string }) => new URL(path, a).pathname) as string[]
  const seen = async (url: string) =>
    Promise.all(paths.map(async (path) => (await visitor(url).http.get(url + path)).status))
  for (const url of [a, b, c]) expect(await seen(url)).toEqual([200, 200])
  expect((await at(ann, c).delete(`/api/posts/${data.post.id}`)).status).toBe(200)
  for (const url of [a, b, c])
    await vi.waitFor(async () => expect(await seen(url)).toEqual([404, 404]), { timeout: 20_000 })
  await s3.close()
  await ready(b, 503)
  expect((await visitor(b).http.get('/readyz')).data).toEqual({ message: 'Not ready: pictures.' })
  expect((await at(ann, b).get('/api/posts')).status).toBe(200)
  await s3.open()
  await ready(b)
  await Promise.all(servers.map((server) => server.stop()))
  await Promise.all([redis.stop(), s3.stop()])
})

describe('a start', () => {
  test('is refused in one line without a Redis that answers, and without the database that it needs', async () => {
    const env = { DATABASE_URL: await createDatabase(postgres.url), REDIS_URL: 'redis://127.0.0.1:1' }
    expect((await refusedStart(env)).output).toMatch(
      /^REDIS_URL takes a Redis, or a cluster, that answers \(connect ECONNREFUSED 127\.0\.0\.1:1\)\.$/m,
    )
    const redis = await startRedis()
    const shared = { DATABASE_URL: await createDatabase(postgres.url), REDIS_URL: redis.url }
    const first = await startServer(shared)
    expect((await refusedStart(shared)).output, 'pictures would be in two folders').toMatch(
      /^MEDIA_URL is needed/m,
    )
    await first.stop()
    await redis.stop()
    expect((await refusedStart({ REDIS_URL: 'redis://127.0.0.1:1' })).output).toMatch(
      /^REDIS_URL joins processes that share a database: it needs DATABASE_URL\.$/m,
    )
  })
})
