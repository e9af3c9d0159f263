import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { memberAt, subscribeAt } from '#tests/multi-process.ts'
import { startRedis } from '#tests/redis.ts'
import { type AxiosMember, axiosMember } from '#tests/sanctum.ts'
import { type RunningServer, serverFolder, startServer } from '#tests/server.ts'
import { createDatabase, startPostgres } from '#tests/services.ts'

// PostgreSQL commits and ends the connection before it answers, as in a restart while a synchronous standby
// is away. Nobody knows the outcome, the request gets an error, and no event is sent. The clients of all
// processes must then connect again, which also ends the subscriptions of people who lost their right.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const postgres = (await startPostgres())!
afterAll(() => postgres.stop())

let servers: [RunningServer, RunningServer]
let url: string
let sql: pg.Client

beforeAll(async () => {
  const redis = await startRedis()
  url = await createDatabase(postgres.url)
  const env = {
    DATABASE_URL: url,
    REDIS_URL: redis.url,
    DATA_DIR: await serverFolder(),
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
  }
  servers = [await startServer(env), await startServer(env)]
  sql = new pg.Client(url)
  sql.on('error', () => {})
  await sql.connect()
  return async () => {
    await sql.end()
    await Promise.all(servers.map((server) => server.stop('SIGKILL')))
    await redis.stop()
  }
})

const at = (who: AxiosMember, server: RunningServer) => memberAt(who, server.url)

const pidsWaiting = async () => {
  const waiting = `select pid from pg_stat_activity where wait_event = 'SyncRep' and datname = current_database()`
  return (await sql.query(waiting)).rows.map(({ pid }) => pid as number)
}
const end = (pid: number) => sql.query('select pg_terminate_backend($1)', [pid])

/** The statement of a transaction that writes nothing but a message to the log. */
const PROBE = `select pg_logical_emit_message(true, 'test', '')`

/** Makes commits wait for a standby that is away. Resolves when a commit really waits. */
async function holdCommits() {
  await sql.query(`alter system set synchronous_standby_names = 'away'`)
  await sql.query('select pg_reload_conf()')
  for (let isHeld = false; !isHeld; ) {
    const probe = new pg.Client(url).on('error', () => {})
    await probe.connect()
    let isDone = false
    const commit = probe.query(PROBE).then(
      () => (isDone = true),
      () => {},
    )
    await eventually(async () => expect(isDone || (await pidsWaiting()).length > 0).toBe(true))
    isHeld = !isDone
    for (const pid of await pidsWaiting()) await end(pid)
    await commit
    await probe.end().catch(() => {})
  }
}

async function releaseCommits() {
  await sql.query('alter system reset synchronous_standby_names')
  await sql.query('select pg_reload_conf()')
  await sql.query(PROBE)
}

/** Runs a request whose commit succeeds, and whose connection ends before PostgreSQL answers the commit. */
async function loseAnswerTo(request: () => Promise<{ status: number }>) {
  await holdCommits()
  const answer = request()
  await eventually(async () => expect(await pidsWaiting()).not.toEqual([]))
  for (const pid of await pidsWaiting()) await end(pid)
  const { status } = await answer
  await releaseCommits()
  return status
}

describe('a commit whose answer is lost', () => {
  test('makes clients connect again, so a removed member of a group hears nothing more', async () => {
    const register = (name: string) => axiosMember(servers[0].url, name)
    const [boss, removed] = [await register('Boss'), await register('Removed')]
    const group = (await at(boss, servers[0]).post('/api/groups', { name: 'Secret' })).data.group.id as number
    await at(boss, servers[0]).post(`/api/groups/${group}/add-user`, { user_id: removed.id })
    const socket = await subscribeAt(removed, servers[1].url, `private-group-chat.${group}`)
    const say = (message: string) =>
      at(boss, servers[0]).post('/api/group-messages/send', { group_id: group, message })
    const heard = () => socket.received('GroupMessageSent').map(({ data }) => data.message as string)
    await say('before')
    await eventually(() => expect(heard()).toEqual(['before']))

    const remove = () => at(boss, servers[0]).delete(`/api/groups/${group}/members/${removed.id}`)
    const status = await loseAnswerTo(remove)
    const { rows } = await sql.query(
      'select 1 from conversation_members where conversation_id = $1 and user_id = $2',
      [group, removed.id],
    )
    expect(rows, 'the removal is committed').toEqual([])
    expect(status).toBe(503)
    await socket.whenClosed
    expect((await say('secret')).status).toBe(200)
    expect(heard(), 'what the removed member hears').toEqual(['before'])
  })
})
