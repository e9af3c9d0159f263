import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startTemporaryPostgres } from '#tests/services.ts'
import { type BenchCookiesAndXsrfToken, fetchBenchCookiesAndXsrfToken } from './client.ts'
import { type BenchCommunity, findOrCreateBenchCommunity } from './community.ts'
import { copyBenchCommunityToPostgres, createPostgresCpuTimeReader } from './postgres.ts'
import { type BenchServer, readCpuTimeOfProcess, startBenchServer } from './processes.ts'
import {
  type BenchReportPrinter,
  type BenchSettings,
  CONSTANT_COST_RATIO_BENCH_THRESHOLD,
  measureMediansInTurns,
} from './report.ts'
import { copyBenchCommunity } from './writes.ts'

/** The numbers of active members of the large and the small community that are compared. */
const MEMBERS = [5000, 100] as const
/**
 * The number of announcements that each server handles before the measurement, because Node compiles code
 * that runs often.
 */
const WARM = 5
/** The maximum number of milliseconds to wait for the last notification about a post. */
const PATIENCE = 120_000
/** The user ids of the admin who pins the posts, and of the member who writes them. */
const ADMIN = 1
const AUTHOR = 2

/** A measured Engawa server with a community of one size. */
interface Contestant {
  server: BenchServer
  admin: BenchCookiesAndXsrfToken
  author: BenchCookiesAndXsrfToken
  /** The number of members who get a notification about a post. */
  told: number
  countNotifications: (post: number) => Promise<number>
  /** Returns the processor time in milliseconds that the server and its database have used so far. */
  readCpuTime: () => number
  stop: () => Promise<unknown>
}

/**
 * Measures how long it takes until a request that announces a post to all members is answered, and until the
 * last member has a notification. Compares a large with a small community, first on SQLite, then on
 * PostgreSQL.
 */
export async function compareAndReportAnnouncementsByCommunitySize(
  report: BenchReportPrinter,
  settings: BenchSettings,
) {
  const communities = [await openCommunityOf(MEMBERS[0]), await openCommunityOf(MEMBERS[1])]
  await compareOn(report, 'SQLite', settings, await openAll(communities, startOnSqlite))
  const postgres = await startTemporaryPostgres()
  if (!postgres) return report.note('PostgreSQL is left out: it is not installed.')
  const startOnPostgres = (community: BenchCommunity) => startOnPostgresServer(postgres.url, community)
  await compareOn(report, 'PostgreSQL', settings, await openAll(communities, startOnPostgres))
  await postgres.stop()
}

const openCommunityOf = (members: number) =>
  findOrCreateBenchCommunity({
    ...{ members, occasional: 10, postedOnce: 1, neverPosted: 1 },
    ...{ posts: 1000, likes: 1000, messages: 1000, follows: 10, notifications: 0 },
  })

async function openAll(
  communities: readonly BenchCommunity[],
  open: (community: BenchCommunity) => Promise<Contestant>,
) {
  const opened: Contestant[] = []
  for (const community of communities) opened.push(await open(community))
  return opened
}

const countQuery = `select count(*) as count from notifications where kind = 'announcement' and subject_id =`
const toldQuery = `select count(*) as count from users where id <> ${ADMIN}`

async function startOnSqlite(community: BenchCommunity): Promise<Contestant> {
  const folder = copyBenchCommunity(community)
  const server = await startBenchServer(folder)
  const db = new DatabaseSync(join(folder, 'engawa.db'), { readOnly: true })
  const rows = db.prepare(`${countQuery} ?`)
  return {
    server,
    ...(await logIn(server)),
    told: (db.prepare(toldQuery).get() as { count: number }).count,
    countNotifications: async (post) => (rows.get(post) as { count: number }).count,
    readCpuTime: () => readCpuTimeOfProcess(server.pid),
    async stop() {
      db.close()
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

async function startOnPostgresServer(postgres: string, community: BenchCommunity): Promise<Contestant> {
  const { url, folder } = await copyBenchCommunityToPostgres(postgres, community)
  const server = await startBenchServer(folder, { DATABASE_URL: url })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const readPostgresTime = await createPostgresCpuTimeReader(url)
  const count = async (query: string, values: number[] = []) =>
    Number((await client.query<{ count: string }>(query, values)).rows[0]!.count)
  return {
    server,
    ...(await logIn(server)),
    told: await count(toldQuery),
    countNotifications: (post) => count(`${countQuery} $1`, [post]),
    readCpuTime: () => readCpuTimeOfProcess(server.pid) + readPostgresTime(),
    async stop() {
      await client.end()
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

const logIn = async ({ url }: BenchServer) => ({
  admin: await fetchBenchCookiesAndXsrfToken(url, ADMIN),
  author: await fetchBenchCookiesAndXsrfToken(url, AUTHOR),
})

async function compareOn(
  report: BenchReportPrinter,
  database: string,
  { rounds }: BenchSettings,
  contestants: readonly Contestant[],
) {
  for (let n = 0; n < WARM; n++) for (const one of contestants) await measureAnnouncement(report, one)
  const [many, few] = await measureMediansInTurns(rounds * 2, contestants, (one) =>
    measureAnnouncement(report, one),
  )
  const [told, others] = contestants.map((one) => one.told.toLocaleString('en'))
  const what = `${database}: post that ${told} members are told of`
  const comparedWith = `${others} members`
  report.add({
    ...{ what: `${what}, to the answer`, ours: many!.answer, theirs: few!.answer, comparedWith, unit: 'ms' },
    aim: CONSTANT_COST_RATIO_BENCH_THRESHOLD,
  })
  const pin = { ours: many!.answer, theirs: many!.pin, comparedWith: 'a pin alone', unit: 'ms' }
  report.add({ what: `${what}, to the answer`, ...pin })
  const last = { ours: many!.last, theirs: few!.last, comparedWith, unit: 'ms' }
  report.add({ what: `${what}, to the last row`, ...last })
  const cpu = { ours: many!.micros, theirs: few!.micros, comparedWith, unit: 'µs' }
  report.add({ what: `${what}, processor for each`, ...cpu })
  for (const one of contestants) await one.stop()
}

/**
 * Pins a new post without an announcement, and then another one with an announcement to all members. Returns
 * the times until both requests are answered and until the last notification is stored, in milliseconds, and
 * the processor time for each notification, in microseconds.
 */
async function measureAnnouncement(report: BenchReportPrinter, one: Contestant) {
  const [plain, announced] = [await createPost(one), await createPost(one)]
  const pin = await measurePin(one, plain, {})
  const cpuBefore = one.readCpuTime()
  const start = performance.now()
  const answer = await measurePin(one, announced, { tell_everyone: true })
  while ((await one.countNotifications(announced)) < one.told) {
    if (performance.now() - start > PATIENCE) {
      report.error(`${await one.countNotifications(announced)} of ${one.told} members were told`)
      break
    }
    await sleep(5)
  }
  const last = performance.now() - start
  return { pin, answer, last, micros: ((one.readCpuTime() - cpuBefore) * 1000) / one.told }
}

async function createPost({ server, author }: Contestant) {
  const { post } = await send(server, author, 'POST', '/api/posts', {
    text: 'The door code changes on Monday',
  })
  return post!.id
}

async function measurePin({ server, admin }: Contestant, post: number, body: object) {
  const start = performance.now()
  await send(server, admin, 'PUT', `/api/posts/${post}/pin`, body)
  return performance.now() - start
}

async function send(
  { url }: BenchServer,
  { cookie, token }: BenchCookiesAndXsrfToken,
  method: 'POST' | 'PUT',
  path: string,
  body: object,
): Promise<{ post?: { id: number } }> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { cookie, 'x-xsrf-token': decodeURIComponent(token), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} is answered with ${answer.status}: ${text}`)
  return JSON.parse(text)
}
