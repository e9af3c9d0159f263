import axios from 'axios'
import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { createMigratedTestPostgresDatabase } from '#tests/migrated-databases.ts'
import { createTestMemberClientOfProcess } from '#tests/multi-process.ts'
import { startTemporaryRedis } from '#tests/redis.ts'
import { registerTestMemberWithAxios, type TestMemberWithAxiosClient } from '#tests/sanctum.ts'
import {
  createTestServerTemporaryFolder,
  type RunningTestServer,
  startTestServerProcess,
} from '#tests/server.ts'
import { dropTestPostgresDatabase } from '#tests/services.ts'

// Each process has a copy of the settings in memory. A message of the bus makes it read them again, and it
// must repeat this until it succeeds.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let servers: RunningTestServer[]
let boss: TestMemberWithAxiosClient
let url: string

beforeAll(async () => {
  const redis = await startTemporaryRedis()
  url = await createMigratedTestPostgresDatabase()
  const env = {
    DATABASE_URL: url,
    REDIS_URL: redis.url,
    DATA_DIR: await createTestServerTemporaryFolder(),
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
  }
  servers = [await startTestServerProcess(env), await startTestServerProcess(env)]
  boss = await registerTestMemberWithAxios(servers[0]!.url, 'Boss')
  return async () => {
    await Promise.all(servers.map((server) => server.stop('SIGKILL')))
    await redis.stop()
    await dropTestPostgresDatabase(url)
  }
})

const save = (server: RunningTestServer, who_can_read: 'everyone' | 'members') =>
  createTestMemberClientOfProcess(boss, server.url).patch('/api/admin/settings', { who_can_read })

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
