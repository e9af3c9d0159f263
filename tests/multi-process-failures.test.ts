import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { migratedPostgres } from '#tests/migrated-databases.ts'
import { chatChannel, memberAt, readyzStatus, subscribeAt } from '#tests/multi-process.ts'
import { startRedis } from '#tests/redis.ts'
import { axiosMember, axiosVisitor } from '#tests/sanctum.ts'
import { serverFolder, startServer } from '#tests/server.ts'
import { createDatabase, dropDatabase, queryPostgres, startPostgres } from '#tests/services.ts'
import { connectPusher } from '#tests/sockets.ts'

// Tests server processes of one community, which share only a PostgreSQL server, a Redis server, and a folder
// or a bucket.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe('acknowledged messages survive', () => {
  /**
   * Starts Redis and two server processes that share it and a database. Registers two members who follow each
   * other, one at each process.
   */
  async function evening(database?: string) {
    const redis = await startRedis()
    const shared = database ? null : await migratedPostgres()
    const env = {
      DATABASE_URL: database ?? shared!,
      REDIS_URL: redis.url,
      DATA_DIR: await serverFolder(),
      LOG_LEVEL: 'warn',
      RATE_LIMIT: 'off',
    }
    const [first, second] = [await startServer(env), await startServer(env)]
    onTestFinished(async () => {
      await Promise.all([first.stop('SIGKILL'), second.stop('SIGKILL')])
      await redis.stop()
      if (shared) await dropDatabase(shared)
    })
    const ann = await axiosMember(first.url, 'Ann')
    const ben = await axiosMember(second.url, 'Ben')
    await memberAt(ann, first.url).post(`/api/follow/${ben.id}`)
    await memberAt(ben, second.url).post(`/api/follow/${ann.id}`)
    const channel = chatChannel(ann, ben)
    const say = async (url: string, input: string) => {
      const { status, data } = await memberAt(ann, url).post('/api/send-private-message', {
        input,
        targetUserId: ben.id,
        client_id: input,
      })
      return { status, id: data.message?.id as number | undefined }
    }
    const history = async (url: string) =>
      (
        (await memberAt(ben, url).get(`/api/messages/${ann.id}?limit=200`)).data as {
          id: number
          message: string
        }[]
      ).map(({ message }) => message)
    return { redis, first, second, ann, ben, channel, say, history }
  }

  /**
   * A long outage of Redis: clients whose rights ended receive nothing more, and the others fetch what they
   * missed.
   */
  async function longOutage() {
    const { redis, first, second, ann, ben, say, history } = await evening()
    const group = (await memberAt(ann, first.url).post('/api/groups', { name: 'Neighbours' })).data.group.id
    for (const { id } of [ben])
      await memberAt(ann, first.url).post(`/api/groups/${group}/add-user`, {
        user_id: id,
      })
    const eve = await axiosMember(second.url, 'Eve')
    await memberAt(ann, first.url).post(`/api/groups/${group}/add-user`, {
      user_id: eve.id,
    })
    const channel = `private-group-chat.${group}`
    const [bens, eves] = [
      await subscribeAt(ben, second.url, channel),
      await subscribeAt(eve, second.url, channel),
    ]
    await redis.end()
    await readyzStatus(first.url, 503)
    expect((await memberAt(ann, first.url).delete(`/api/groups/${group}/members/${eve.id}`)).status).toBe(200)
    expect((await say(first.url, 'In the dark')).status).toBe(200)
    const late = await connectPusher(second.url)
    const asked = await memberAt(ben, first.url).post('/my-broadcast-auth', {
      socket_id: late.id,
      channel_name: channel,
    })
    expect(asked.status, 'a process that cannot say whose socket it is').toBe(503)
    // Waits until the second process has noticed that it can no longer reach the other processes.
    await eventually(() => expect(second.logs()).toContain('The other processes cannot be reached'))
    await redis.begin()
    for (const client of [bens, eves]) expect((await client.whenClosed).code).toBe(4200)
    await Promise.all([readyzStatus(first.url), readyzStatus(second.url)])
    expect(await history(second.url)).toEqual(['In the dark'])
    const again = await connectPusher(second.url)
    expect(
      (
        await memberAt(eve, second.url).post('/my-broadcast-auth', {
          socket_id: again.id,
          channel_name: channel,
        })
      ).status,
    ).toBe(403)
  }

  /** A suspended process: its clients receive or can fetch the messages sent meanwhile. */
  async function suspendedProcess() {
    const { first, second, ann, ben, say, history, channel } = await evening()
    const bens = await subscribeAt(ben, second.url, channel)
    second.signal('SIGSTOP')
    expect((await say(first.url, 'While it slept')).status).toBe(200)
    await eventually(async () => expect(first.logs()).toContain('was lost on the way'))
    second.signal('SIGCONT')
    // Waits until the client has either received the message that was waiting, or is disconnected. A
    // disconnected client fetches the message when it connects again.
    await eventually(() =>
      expect(
        bens.received('PrivateMessageSent').length || bens.ws.readyState === bens.ws.CLOSED,
      ).toBeTruthy(),
    )
    expect(await history(second.url)).toEqual(['While it slept'])
    expect((await memberAt(ann, second.url).get('/api/user')).status).toBe(200)
  }

  /**
   * A killed process: the other continues, and after a while removes the members who were connected there.
   */
  async function killedProcess() {
    const { first, second, ann, ben, say, history, channel } = await evening()
    const benThere = await subscribeAt(ben, second.url, 'presence-here')
    await subscribeAt(ann, first.url, 'presence-here')
    expect((await benThere.nextMessage('pusher_internal:member_added')).data.user_id).toBe(String(ann.id))
    const { status } = await say(first.url, 'My last words here')
    expect(status).toBe(200)
    await first.stop('SIGKILL')
    const removed = eventually(() =>
      expect(benThere.received('pusher_internal:member_removed')).toHaveLength(1),
    )
    expect((await axiosVisitor(second.url).http.get('/readyz')).status).toBe(200)
    expect(await history(second.url)).toEqual(['My last words here'])
    const there = await subscribeAt(ben, second.url, channel)
    expect((await say(second.url, 'And on')).status).toBe(200)
    expect((await there.nextMessage('PrivateMessageSent')).data.message).toBe('And on')
    await removed
  }

  // These wait for many seconds until a process counts as ended, so they run at the same time.
  test('a long outage of Redis, a suspended process and a killed process', async () => {
    await Promise.all([longOutage(), suspendedProcess(), killedProcess()])
  })

  test('a restart of Redis: messages sent meanwhile are stored, received in their own process, and fetched by clients that reconnect', async () => {
    const { redis, first, second, ann, ben, channel, say, history } = await evening()
    const annHere = await subscribeAt(ann, first.url, channel)
    const benThere = await subscribeAt(ben, second.url, channel)
    await redis.end()
    await readyzStatus(first.url, 503)
    expect((await axiosVisitor(first.url).http.get('/healthz')).data).toEqual({
      status: 'ok',
    })
    expect((await axiosVisitor(first.url).http.get('/readyz')).data).toEqual({
      message: 'Not ready: redis.',
    })
    expect((await say(first.url, 'In the dark')).status).toBe(200)
    expect((await annHere.nextMessage('PrivateMessageSent')).data.message).toBe('In the dark')
    expect(benThere.received('PrivateMessageSent')).toEqual([])

    await redis.begin()
    expect((await benThere.whenClosed).code, 'told to come back, and to fetch').toBe(4200)
    await Promise.all([readyzStatus(first.url), readyzStatus(second.url)])
    expect(await history(second.url)).toEqual(['In the dark'])
    const back = await subscribeAt(ben, second.url, channel)
    expect((await say(first.url, 'Light again')).status).toBe(200)
    expect((await back.nextMessage('PrivateMessageSent')).data.message).toBe('Light again')
  })

  test('a restart or crash of PostgreSQL: 503 during the outage, no acknowledged data lost, and then normal service', async () => {
    const own = (await startPostgres())!
    onTestFinished(own.stop)
    const database = await createDatabase(own.url)
    const { first, second, ann, ben, channel, say } = await evening(database)
    const before = await subscribeAt(ben, second.url, channel)
    const closed: unknown[] = []
    void before.whenClosed.then((how) => closed.push(how))
    const acceptedTexts: string[] = []
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      let writing = true
      const seen = new Set<number>()
      const writer = async (url: string, name: string) => {
        for (let n = 0; writing; n++) {
          const text = `${signal} ${name} ${n}`
          const { status } = await say(url, text)
          seen.add(status)
          if (status === 200) acceptedTexts.push(text)
          await sleep(10)
        }
      }
      const writers = [writer(first.url, 'first'), writer(second.url, 'second')]
      await eventually(() => expect(acceptedTexts.length).toBeGreaterThan(20))
      await own.end(signal)
      await readyzStatus(second.url, 503)
      expect((await axiosVisitor(second.url).http.get('/readyz')).data).toEqual({
        message: 'Not ready: database.',
      })
      expect((await memberAt(ann, first.url).get('/api/user')).status).toBe(503)
      expect((await axiosVisitor(first.url).http.get('/healthz')).status).toBe(200)
      await own.begin()
      await Promise.all([readyzStatus(first.url), readyzStatus(second.url)])
      writing = false
      await Promise.all(writers)
      expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([])
    }
    const there = (await queryPostgres(database, 'select body from messages')).rows.map(
      ({ body }) => body as string,
    )
    expect(new Set(there).size, 'nothing twice').toBe(there.length)
    expect(there).toEqual(expect.arrayContaining(acceptedTexts))
    // A commit whose answer was lost may have lost its events: then the clients are told to connect again.
    expect([[], [{ code: 4200, reason: 'Please connect again' }]]).toContainEqual(closed)
    const after = closed.length ? await subscribeAt(ben, second.url, channel) : before
    expect((await say(first.url, 'Still here')).status).toBe(200)
    await eventually(() => expect(after.inbox.map(({ data }) => data.message)).toContain('Still here'))
  })

  test('a process that stops announces it: members who were only there are removed at once', async () => {
    const { first, second, ann, ben } = await evening()
    const benThere = await subscribeAt(ben, second.url, 'presence-here')
    await subscribeAt(ann, first.url, 'presence-here')
    await benThere.nextMessage('pusher_internal:member_added')
    await first.stop()
    expect((await benThere.nextMessage('pusher_internal:member_removed')).data).toEqual({
      user_id: String(ann.id),
    })
  })
})
