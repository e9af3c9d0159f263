import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { deep } from '#tests/deep.ts'
import { migratedPostgres } from '#tests/migrated-databases.ts'
import { memberAt } from '#tests/multi-process.ts'
import { cacheRounds } from '#tests/multi-process-page-loops.ts'
import { startRedis } from '#tests/redis.ts'
import { type AxiosMember, axiosMember, axiosVisitor, PASSWORD as password } from '#tests/sanctum.ts'
import { bundleEnvironment, type RunningServer, serverFolder, startServer } from '#tests/server.ts'
import { dropDatabase, queryPostgres } from '#tests/services.ts'

// Tests three processes that share PostgreSQL and Redis: whichever process answers, a read that begins after
// an acknowledged write sees this write. Each member writes and reads in a loop, through random processes, at
// the same time as the others.

vi.setConfig({ testTimeout: 900_000, hookTimeout: 500_000 })

interface PostJson {
  id: number
  likes_count: number
  liked_by_me: boolean
  user: { id: number; name: string }
}
type Call = ReturnType<typeof memberAt>
type Method = keyof Call

let redis: Awaited<ReturnType<typeof startRedis>>
let env: Record<string, string>
let servers: RunningServer[]
let reads = 0

beforeAll(async () => {
  redis = await startRedis()
  env = {
    DATABASE_URL: await migratedPostgres(),
    REDIS_URL: redis.url,
    DATA_DIR: await serverFolder(),
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
  }
  servers = []
  for (let n = 0; n < 3; n++) servers.push(await startServer(env))
  return async () => {
    await Promise.all(servers.map((server) => server.stop('SIGKILL')))
    await redis.stop()
    await dropDatabase(env.DATABASE_URL!)
  }
})

const randomUrl = () => servers[Math.floor(Math.random() * servers.length)]!.url

/**
 * Sends a request to a random process, and repeats it (each time to another random process) until the
 * response has one of these statuses, by default any success. Requests fail while PostgreSQL ends
 * connections. The writes of these tests can be repeated without a further effect.
 */
async function send(who: AxiosMember, method: Method, path: string, data?: object, ...statuses: number[]) {
  const isExpected = (status: number) => (statuses.length ? statuses.includes(status) : status < 300)
  for (let tries = 1; ; tries++) {
    const answer = await memberAt(who, randomUrl())[method](path, data ?? {})
    if (isExpected(answer.status)) return answer
    if (answer.status < 500 || tries === 20)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.data)}`)
    await sleep(20)
  }
}

async function readPosts(who: AxiosMember, path = '/api/posts') {
  reads++
  return (await send(who, 'get', path)).data as PostJson[]
}
async function readStatus(who: AxiosMember) {
  reads++
  return (await send(who, 'get', '/api/user', undefined, 200, 401)).status
}

const writePost = async (who: AxiosMember, text: string) =>
  (await send(who, 'post', '/api/posts', { text, client_id: `${who.id} ${text}` })).data.post.id as number

async function logIn(member: AxiosMember): Promise<AxiosMember> {
  const client = axiosVisitor(randomUrl())
  for (let tries = 1; ; tries++) {
    const { status } = await client.logIn(member.email, password)
    if (status === 200 || status === 204) return { ...member, ...client }
    if (tries === 20) throw new Error(`The log-in is answered with ${status}`)
    await sleep(50)
  }
}

/**
 * Registers the members who write. Returns, by name, a loop for each of them that writes, and then reads what
 * must show this write.
 */
async function createLoops(name: string) {
  const member = (role: string) => axiosMember(randomUrl(), `${role} ${name}`)
  const admin = await logIn(boss)
  const [reader, author, liker, poster, follower, blocker] = [
    await member('Reader'),
    await member('Author'),
    await member('Liker'),
    await member('Poster'),
    await member('Follower'),
    await member('Blocker'),
  ]
  const [renamed, visitor, suspended] = [
    await member('Renamed'),
    await member('Visitor'),
    await member('Suspended'),
  ]
  const post = await writePost(author, 'Post')
  const namedPost = await writePost(renamed, 'Named')
  const find = (posts: readonly PostJson[], id = post) => posts.find((one) => one.id === id)

  const loops: Record<string, (round: number) => Promise<void>> = {
    async likes() {
      for (const [method, count] of [
        ['put', 1],
        ['delete', 0],
      ] as const) {
        await send(liker, method, `/api/posts/${post}/like`)
        const seen = [find(await readPosts(reader)), find(await readPosts(liker))]
        expect(seen.map((one) => one?.likes_count)).toEqual([count, count])
        expect(seen[1]!.liked_by_me).toBe(count === 1)
      }
    },
    async posts(round) {
      const id = await writePost(poster, `Round ${round}`)
      for (const who of [reader, poster]) expect(find(await readPosts(who), id)).toBeDefined()
      await send(poster, 'delete', `/api/posts/${id}`, undefined, 200, 404)
      for (const who of [reader, poster]) expect(find(await readPosts(who), id)).toBeUndefined()
    },
    async names(round) {
      const newName = `Name ${round} ${name}`
      await send(renamed, 'post', '/api/profile', { name: newName })
      expect(find(await readPosts(reader), namedPost)!.user.name).toBe(newName)
      reads++
      expect((await send(renamed, 'get', '/api/user')).data.name).toBe(newName)
    },
    async follows() {
      await send(follower, 'post', `/api/follow/${author.id}`)
      expect(find(await readPosts(follower, '/api/posts/following'))).toBeDefined()
      await send(follower, 'delete', `/api/unfollow/${author.id}`)
      expect(find(await readPosts(follower, '/api/posts/following'))).toBeUndefined()
    },
    async blocks() {
      await send(blocker, 'post', `/api/users/${author.id}/block`)
      expect(find(await readPosts(blocker))).toBeUndefined()
      await send(blocker, 'delete', `/api/users/${author.id}/block`)
      expect(find(await readPosts(blocker))).toBeDefined()
    },
    async 'log-outs'() {
      const session = await logIn(visitor)
      for (let n = 0; n < 4; n++) expect(await readStatus(session)).toBe(200)
      await send(session, 'post', '/logout', undefined, 204, 401)
      for (let n = 0; n < 4; n++) expect(await readStatus(session)).toBe(401)
    },
    ...(await cacheRounds(
      {
        registerMember: (role) => axiosMember(randomUrl(), `${role} ${name}`),
        send,
        writePost,
        countRead: () => reads++,
      },
      admin,
    )),
    async suspensions() {
      const session = await logIn(suspended)
      for (let n = 0; n < 4; n++) expect(await readStatus(session)).toBe(200)
      await send(admin, 'put', `/api/admin/users/${suspended.id}/suspension`)
      for (let n = 0; n < 4; n++) expect(await readStatus(session)).toBe(401)
      await send(admin, 'delete', `/api/admin/users/${suspended.id}/suspension`)
    },
  }
  return loops
}

let boss: AxiosMember
let loops: Awaited<ReturnType<typeof createLoops>>
/** The number of rounds of each loop so far, in all tests. */
const rounds = new Map<string, number>()
beforeAll(async () => {
  boss = await axiosMember(servers[0]!.url, 'Boss')
  loops = await createLoops('Loop')
})

/**
 * Runs loops at the same time, each at least once, until they have made `count` reads; in the deep stage, seven
 * times as many. Meanwhile, calls `disturb` again and again. With `disturb`, runs half of the loops, others in
 * each run; all in the deep stage.
 */
async function runLoops(count: number, disturb?: () => Promise<unknown>) {
  const all = Object.entries(loops)
  const parity = Math.floor(Math.random() * 2)
  const chosen = disturb && !deep ? all.filter((_, index) => index % 2 === parity) : all
  const end = reads + (deep ? 7 : 1) * count
  let hasFailed = false
  const isOver = () => hasFailed || reads >= end
  const run = async ([loop, runOnce]: [string, (round: number) => Promise<void>]) => {
    do {
      const round = rounds.get(loop) ?? 0
      rounds.set(loop, round + 1)
      await runOnce(round).catch((error: Error) => {
        hasFailed = true
        error.message = `${loop}, round ${round}: ${error.message}`
        throw error
      })
    } while (!isOver())
  }
  const disturbing = (async () => {
    while (!isOver()) await (disturb ? disturb() : sleep(100))
  })()
  const ended = await Promise.allSettled([...chosen.map(run), disturbing])
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

describe('each read after an acknowledged write sees it, at any of three processes', () => {
  test('while nothing fails', async () => {
    await runLoops(200)
  })

  test('while Redis loses its data and its connections', async () => {
    const client = await createClient({ url: redis.url })
      .on('error', () => {})
      .connect()
    await runLoops(100, async () => {
      await client.flushAll()
      await sleep(150)
      for (const type of ['NORMAL', 'PUBSUB'])
        await client.sendCommand(['CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes'])
      await sleep(400)
    })
    client.destroy()
  })

  test('while Redis restarts', async () => {
    await runLoops(100, async () => {
      await redis.end()
      await sleep(100)
      await redis.begin()
      await sleep(3000)
    })
  })

  test('while PostgreSQL ends connections', async () => {
    const others = 'datname = current_database() and pid <> pg_backend_pid()'
    await runLoops(40, async () => {
      await queryPostgres(
        env.DATABASE_URL!,
        `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`,
      )
      // Waits until some reads have succeeded before it ends the connections again. On a busy machine, no
      // request would end between two of these SQL commands.
      const before = reads
      for (let n = 0; n < 100 && reads < before + 10; n++) await sleep(100)
    })
  })
})

describe('the command line', async () => {
  const bundle = await bundleEnvironment()

  function engawa(...args: string[]) {
    const { PATH = '', HOME = '' } = process.env
    const options = { env: { PATH, HOME, ...bundle, ...env }, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync(join(import.meta.dirname, '../bin/engawa'), args, options)
    return { status, output: stdout.trim(), errors: stderr.trim() }
  }

  test('ends a session at once at all processes, which have cached it', async () => {
    const member = await axiosMember(randomUrl(), 'Cached')
    const statuses = async () => {
      const all = servers.map(({ url }) => memberAt(member, url).get('/api/user'))
      return (await Promise.all(all)).map(({ status }) => status)
    }
    for (let n = 0; n < 2; n++) expect(await statuses()).toEqual([200, 200, 200])
    expect(engawa('session', 'end', member.email)).toEqual({
      status: 0,
      output: '1 session has ended.',
      errors: '',
    })
    expect(await statuses()).toEqual([401, 401, 401])
  })

  test('writes without Redis too, and says that the servers may notice later', async () => {
    const member = await axiosMember(randomUrl(), 'Uncached')
    await redis.end()
    expect(engawa('session', 'list', member.email).errors).toBe('')
    expect(engawa('session', 'end', member.email)).toEqual({
      status: 0,
      output: '1 session has ended.',
      errors: 'Redis did not take a change: servers may answer as before it for ten seconds',
    })
    expect((await memberAt(member, randomUrl()).get('/api/user')).status).toBe(401)
    await redis.begin()
  })
})
