import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { at, enter, pair, ready } from '#tests/process-clients.ts'
import { startRedis } from '#tests/redis.ts'
import { member, visitor } from '#tests/sanctum.ts'
import { freshFolder, startServer } from '#tests/server.ts'
import { ask, createDatabase, startOwnPostgres } from '#tests/services.ts'
import { connect } from '#tests/sockets.ts'

// Real processes that share only a PostgreSQL, a Redis, and a folder or a bucket.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe('what is acknowledged is there', () => {
  /** Two processes, two people who write to each other, and a window at each. */
  async function evening() {
    const redis = await startRedis()
    const own = (await startOwnPostgres())!
    const env = {
      DATABASE_URL: await createDatabase(own.url),
      REDIS_URL: redis.url,
      DATA_DIR: await freshFolder(),
      LOG_LEVEL: 'warn',
      RATE_LIMIT: 'off',
    }
    const [first, second] = [await startServer(env), await startServer(env)]
    onTestFinished(async () => {
      await Promise.all([first.stop('SIGKILL'), second.stop('SIGKILL')])
      await redis.stop()
      await own.stop()
    })
    const ann = await member(first.url, 'Ann')
    const ben = await member(second.url, 'Ben')
    await at(ann, first.url).post(`/api/follow/${ben.id}`)
    await at(ben, second.url).post(`/api/follow/${ann.id}`)
    const channel = pair(ann, ben)
    const say = async (url: string, input: string) => {
      const { status, data } = await at(ann, url).post('/api/send-private-message', {
        input,
        targetUserId: ben.id,
        client_id: input,
      })
      return { status, id: data.message?.id as number | undefined }
    }
    const history = async (url: string) =>
      (
        (await at(ben, url).get(`/api/messages/${ann.id}?limit=200`)).data as {
          id: number
          message: string
        }[]
      ).map(({ message }) => message)
    return { redis, own, database: env.DATABASE_URL, first, second, ann, ben, channel, say, history }
  }

  test('when Redis restarts: what was said meanwhile is stored, heard where it was said, and fetched by those who come back', async () => {
    const { redis, first, second, ann, ben, channel, say, history } = await evening()
    const annHere = await enter(ann, first.url, channel)
    const benThere = await enter(ben, second.url, channel)
    await redis.end()
    await ready(first.url, 503)
    expect((await visitor(first.url).http.get('/healthz')).data).toEqual({ status: 'ok' })
    expect((await visitor(first.url).http.get('/readyz')).data).toEqual({ message: 'Not ready: redis.' })
    expect((await say(first.url, 'In the dark')).status).toBe(200)
    expect((await annHere.take('PrivateMessageSent')).data.message).toBe('In the dark')
    expect(benThere.heard('PrivateMessageSent')).toEqual([])

    await redis.begin()
    expect((await benThere.gone).code, 'told to come back, and to fetch').toBe(4200)
    await Promise.all([ready(first.url), ready(second.url)])
    expect(await history(second.url)).toEqual(['In the dark'])
    const back = await enter(ben, second.url, channel)
    expect((await say(first.url, 'Light again')).status).toBe(200)
    expect((await back.take('PrivateMessageSent')).data.message).toBe('Light again')
  })

  test('when Redis is away for long: whose right ended meanwhile hears nothing more, and the others fetch what they missed', async () => {
    const { redis, first, second, ann, ben, say, history } = await evening()
    const group = (await at(ann, first.url).post('/api/groups', { name: 'Neighbours' })).data.group.id
    for (const { id } of [ben])
      await at(ann, first.url).post(`/api/groups/${group}/add-user`, { user_id: id })
    const eve = await member(second.url, 'Eve')
    await at(ann, first.url).post(`/api/groups/${group}/add-user`, { user_id: eve.id })
    const channel = `private-group-chat.${group}`
    const [bens, eves] = [await enter(ben, second.url, channel), await enter(eve, second.url, channel)]
    await redis.end()
    await ready(first.url, 503)
    expect((await at(ann, first.url).delete(`/api/groups/${group}/members/${eve.id}`)).status).toBe(200)
    expect((await say(first.url, 'In the dark')).status).toBe(200)
    const late = await connect(second.url)
    const asked = await at(ben, first.url).post('/my-broadcast-auth', {
      socket_id: late.id,
      channel_name: channel,
    })
    expect(asked.status, 'a process that cannot say whose socket it is').toBe(503)
    // Longer than the processes remember each other.
    await vi.waitFor(() => expect(second.logs()).toContain('The other processes cannot be reached'), {
      timeout: 40_000,
      interval: 200,
    })
    await redis.begin()
    for (const client of [bens, eves]) expect((await client.gone).code).toBe(4200)
    await Promise.all([ready(first.url), ready(second.url)])
    expect(await history(second.url)).toEqual(['In the dark'])
    const again = await connect(second.url)
    expect(
      (await at(eve, second.url).post('/my-broadcast-auth', { socket_id: again.id, channel_name: channel }))
        .status,
    ).toBe(403)
  })

  test('when a process sleeps: what was said meanwhile is fetched, and whose right ended is shut out', async () => {
    const { first, second, ann, ben, say, history, channel } = await evening()
    const bens = await enter(ben, second.url, channel)
    second.signal('SIGSTOP')
    expect((await say(first.url, 'While it slept')).status).toBe(200)
    await vi.waitFor(async () => expect(first.logs()).toContain('was lost on the way'), {
      timeout: 60_000,
      interval: 200,
    })
    second.signal('SIGCONT')
    // It hears what waited in its line, or is told that it missed it.
    await vi.waitFor(
      () =>
        expect(bens.heard('PrivateMessageSent').length || bens.ws.readyState === bens.ws.CLOSED).toBeTruthy(),
      {
        timeout: 30_000,
      },
    )
    expect(await history(second.url)).toEqual(['While it slept'])
    expect((await at(ann, second.url).get('/api/user')).status).toBe(200)
  })

  test('when PostgreSQL restarts, or crashes: 503 while it is away, everything that was told is there, and it goes on', async () => {
    const { own, database, first, second, ann, ben, channel, say } = await evening()
    const benThere = await enter(ben, second.url, channel)
    const told: string[] = []
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      let writing = true
      const seen = new Set<number>()
      const writer = async (url: string, name: string) => {
        for (let n = 0; writing; n++) {
          const text = `${signal} ${name} ${n}`
          const { status } = await say(url, text)
          seen.add(status)
          if (status === 200) told.push(text)
        }
      }
      const writers = [writer(first.url, 'first'), writer(second.url, 'second')]
      await vi.waitFor(() => expect(told.length).toBeGreaterThan(20), { timeout: 20_000 })
      await own.end(signal)
      await ready(second.url, 503)
      expect((await visitor(second.url).http.get('/readyz')).data).toEqual({
        message: 'Not ready: database.',
      })
      expect((await at(ann, first.url).get('/api/user')).status).toBe(503)
      expect((await visitor(first.url).http.get('/healthz')).status).toBe(200)
      await own.begin()
      await Promise.all([ready(first.url), ready(second.url)])
      writing = false
      await Promise.all(writers)
      expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([])
    }
    const there = (await ask(database, 'select body from messages')).rows.map(({ body }) => body as string)
    expect(new Set(there).size, 'nothing twice').toBe(there.length)
    expect(there).toEqual(expect.arrayContaining(told))
    expect((await say(first.url, 'Still here')).status).toBe(200)
    await vi.waitFor(() => expect(benThere.inbox.map(({ data }) => data.message)).toContain('Still here'), {
      timeout: 10_000,
    })
  })

  test('when a process is killed: the other goes on, and knows after a while who is gone with it', async () => {
    const { first, second, ann, ben, say, history, channel } = await evening()
    const benThere = await enter(ben, second.url, 'presence-here')
    await enter(ann, first.url, 'presence-here')
    expect((await benThere.take('pusher_internal:member_added')).data.user_id).toBe(String(ann.id))
    const { status } = await say(first.url, 'My last words here')
    expect(status).toBe(200)
    await first.stop('SIGKILL')
    const removed = vi.waitFor(
      () => expect(benThere.heard('pusher_internal:member_removed')).toHaveLength(1),
      {
        timeout: 60_000,
        interval: 200,
      },
    )
    expect((await visitor(second.url).http.get('/readyz')).status).toBe(200)
    expect(await history(second.url)).toEqual(['My last words here'])
    const there = await enter(ben, second.url, channel)
    expect((await say(second.url, 'And on')).status).toBe(200)
    expect((await there.take('PrivateMessageSent')).data.message).toBe('And on')
    await removed
  })

  test('a process that stops says goodbye: who was there alone is gone at once', async () => {
    const { first, second, ann, ben } = await evening()
    const benThere = await enter(ben, second.url, 'presence-here')
    await enter(ann, first.url, 'presence-here')
    await benThere.take('pusher_internal:member_added')
    await first.stop()
    expect((await benThere.take('pusher_internal:member_removed')).data).toEqual({ user_id: String(ann.id) })
  })
})
