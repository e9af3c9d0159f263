import axios from 'axios'
import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { migratedPostgres } from '#tests/migrated-databases.ts'
import { memberAt } from '#tests/multi-process.ts'
import { startRedis } from '#tests/redis.ts'
import { type AxiosMember, axiosMember } from '#tests/sanctum.ts'
import { type RunningServer, serverFolder, startServer } from '#tests/server.ts'
import { dropDatabase } from '#tests/services.ts'

// Each process has a copy of the settings in memory. A message of the bus makes it read them again, and it
// must repeat this until it succeeds.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let servers: RunningServer[]
let boss: AxiosMember
let url: string

beforeAll(async () => {
  const redis = await startRedis()
  url = await migratedPostgres()
  const env = {
    DATABASE_URL: url,
    REDIS_URL: redis.url,
    DATA_DIR: await serverFolder(),
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
  }
  servers = [await startServer(env), await startServer(env)]
  boss = await axiosMember(servers[0]!.url, 'Boss')
  return async () => {
    await Promise.all(servers.map((server) => server.stop('SIGKILL')))
    await redis.stop()
    await dropDatabase(url)
  }
})

const save = (server: RunningServer, who_can_read: 'everyone' | 'members') =>
  memberAt(boss, server.url).patch('/api/admin/settings', { who_can_read })

/** The status that a stranger gets for the list of posts, at each process. */
const statuses = () =>
  Promise.all(
    servers.map(
      async (server) => (await axios.get(`${server.url}/api/posts`, { validateStatus: () => true })).status,
    ),
  )

async function connect() {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  return client
}

const waitingForLock = `select pid, query from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query ilike '%settings%'`

describe('the settings of the community', () => {
  test('reach every process although PostgreSQL ends the connections on which they are read', async () => {
    expect((await save(servers[0]!, 'everyone')).status).toBe(200)
    await eventually(async () => expect(await statuses()).toEqual([200, 200]))
    const [holder, locker, killer] = [await connect(), await connect(), await connect()]
    const waiting = async (count: number) =>
      eventually(async () => {
        const { rows } = await killer.query(waitingForLock)
        expect(rows.length, JSON.stringify(rows)).toBe(count)
        return rows as { pid: number; query: string }[]
      })
    // Keeps the transaction of the admin waiting, until the lock of the table is asked for too.
    await holder.query(`begin; delete from settings where name = 'who_can_read'`)
    const saved = save(servers[0]!, 'members')
    await waiting(1)
    const locked = locker.query('begin; lock table settings in access exclusive mode')
    await waiting(2)
    await holder.query('rollback')
    // The transaction of the admin commits. Now both processes read the settings again, and wait.
    await locked
    const reads = await waiting(2)
    expect(reads.every(({ query }) => /^select/i.test(query))).toBe(true)
    for (const { pid } of reads) await killer.query('select pg_terminate_backend($1)', [pid])
    await locker.query('rollback')
    expect((await saved).status).toBe(200)
    for (const client of [holder, locker, killer]) await client.end()
    await eventually(async () => expect(await statuses()).toEqual([401, 401]))
  })
})
