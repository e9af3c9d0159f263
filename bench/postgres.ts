import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { allMigrations } from '#app.ts'
import { moveToPostgres } from '#core/backup/move.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { findRedisServerPath } from '#tests/programs.ts'
import { startTemporaryRedis } from '#tests/redis.ts'
import { createTestPostgresDatabase, runPostgresQuery, startTemporaryPostgres } from '#tests/services.ts'
import {
  encodeBenchHttpRequest,
  fetchBenchCookiesAndXsrfToken,
  measureConcurrentHttpRequestsPerSecond,
} from './client.ts'
import type { BenchCommunity } from './community.ts'
import { fetchListBenchResponse } from './lists.ts'
import {
  type BenchServer,
  type BenchWorker,
  readCpuTimeOfEndedChildProcesses,
  readCpuTimeOfProcess,
  startBenchServer,
  startBenchWorker,
} from './processes.ts'
import { type BenchReportPrinter, type BenchSettings, measureMediansInTurns } from './report.ts'
import { copyBenchCommunity } from './writes.ts'

const CONNECTIONS = 64
/** The number of likes per second that another member writes while requests are measured. */
const LIKES = 50
/**
 * The number of requests that each process answers before the measurement, because Node compiles code that
 * runs often.
 */
const WARM = 1500
/** The user id of the member who writes the likes. */
const LIKER = 50

/**
 * A request to measure: its path, and the number of members who send it in turn. A visitor sends it if
 * `members` is 0.
 */
export interface PostgresBenchCase {
  what: string
  path: string
  members: number
  /**
   * The targets for the requests per second: while nothing changes (`quiet`), and while likes are written
   * (`liked`).
   */
  least: { quiet: number; liked: number }
}
export const postgresBenchCases: readonly PostgresBenchCase[] = [
  { what: 'GET posts, visitor', path: '/api/posts', members: 0, least: { quiet: 5000, liked: 2000 } },
  { what: 'GET posts, 20 members', path: '/api/posts', members: 20, least: { quiet: 5000, liked: 2000 } },
  {
    what: 'GET following, 20 members',
    path: '/api/posts/following',
    members: 20,
    least: { quiet: 5000, liked: 2000 },
  },
  { what: 'page /, 20 members', path: '/', members: 20, least: { quiet: 1000, liked: 1000 } },
  { what: 'GET user, 100 members', path: '/api/user', members: 100, least: { quiet: 6000, liked: 2000 } },
]
/** The target for the processor time of PostgreSQL for a request, in µs. */
const POSTGRES_AIM = { most: 100 }

/**
 * Servers with their database that are measured together at one port. `pids` are their process ids, and
 * `like` writes a like through them.
 */
export interface PostgresBenchContestant {
  port: number
  pids: readonly number[]
  requests: readonly Buffer[]
  like: (() => Promise<unknown>) | null
  /** The number of requests that run at the same time. Default: `CONNECTIONS`. */
  connections?: number
}

/**
 * Measures one Engawa process on PostgreSQL with Redis, which caches results of queries, in turns with one
 * without Redis, which caches nothing, and with the simplest server on the same PostgreSQL.
 */
export async function compareAndReportPostgresWithAndWithoutRedis(
  report: BenchReportPrinter,
  community: BenchCommunity,
  settings: BenchSettings,
) {
  const postgres = findRedisServerPath() && (await startTemporaryPostgres())
  if (!postgres) return report.note('Left out: this section needs PostgreSQL and Redis.')
  const redis = await startTemporaryRedis()
  const folders: string[] = []
  const open = async (env: Record<string, string>) => {
    const { url, folder } = await copyBenchCommunityToPostgres(postgres.url, community)
    folders.push(folder)
    return startBenchServer(folder, { DATABASE_URL: url, ...env })
  }
  const [cached, uncached] = [await open({ REDIS_URL: redis.url }), await open({})]
  const bare = await startBenchWorker('bare-postgres.ts', await createTestPostgresDatabase(postgres.url))
  const readPostgresTime = await createPostgresCpuTimeReader(postgres.url)
  for (const one of postgresBenchCases)
    await compareCase(report, one, { cached, uncached, bare, readPostgresTime }, community, settings)
  await Promise.all([cached.stop(), uncached.stop(), bare.stop()])
  await Promise.all([postgres.stop(), redis.stop()])
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/**
 * Copies a bench community to a new database on the PostgreSQL server at the URL `server`. Returns the URL of
 * the database, and a data folder for the Engawa processes that use it.
 */
export async function copyBenchCommunityToPostgres(server: string, community: BenchCommunity) {
  const folder = copyBenchCommunity(community)
  const url = await createTestPostgresDatabase(server)
  const { db, close } = await openPostgres(url, { withoutTimeouts: true })
  await moveToPostgres(folder, db, allMigrations, null)
  await runMigrations(db, allMigrations)
  await close()
  // Updates the statistics of PostgreSQL, because without fresh ones PostgreSQL would choose other plans
  // until it analyses the tables by itself.
  await runPostgresQuery(url, 'vacuum analyze')
  return { url, folder }
}

interface Servers {
  cached: BenchServer
  uncached: BenchServer
  bare: BenchWorker
  readPostgresTime: () => number
}

async function compareCase(
  report: BenchReportPrinter,
  { what, path, members, least }: PostgresBenchCase,
  { cached, uncached, bare, readPostgresTime }: Servers,
  { size }: BenchCommunity,
  settings: BenchSettings,
) {
  const [ours, before] = [await toContestant(cached), await toContestant(uncached)]
  const example = { what, path, ...(members && { who: await fetchBenchCookiesAndXsrfToken(cached.url, 1) }) }
  await bare.ask(await fetchListBenchResponse(cached, example))
  const simplest = { ...ours, port: bare.first as number, pids: [bare.pid], like: null }

  async function toContestant({ url, port, pid }: BenchServer): Promise<PostgresBenchContestant> {
    const requests = await encodePostgresBenchRequestsOfCase(url, { path, members })
    return { port, pids: [pid], requests, like: await createBenchLikeToggler(url, size.posts) }
  }

  const measure = (one: PostgresBenchContestant, isLiked: boolean) =>
    measurePostgresBenchRequestsForSeconds(one, isLiked ? one.like : null, settings.seconds, readPostgresTime)
  for (const one of [ours, before, simplest]) await warmUpPostgresBenchContestant(one)
  for (const isLiked of [false, true]) {
    const all = isLiked ? [ours, before] : [ours, before, simplest]
    const found = await measureMediansInTurns(settings.rounds, all, (one) => measure(one, isLiked))
    const label = isLiked ? `${what}, ${LIKES} likes a second` : what
    addFigures(report, label, found, isLiked ? least.liked : least.quiet)
  }
}

/**
 * Returns the bytes of the requests of a case: one for each of its members, or one of a visitor. In `path`,
 * `:nextMember` is the id of a member with whom the member has a private chat.
 */
export async function encodePostgresBenchRequestsOfCase(
  url: string,
  { path, members }: Pick<PostgresBenchCase, 'path' | 'members'>,
) {
  if (!members) return [encodeBenchHttpRequest('GET', path)]
  const requests: Buffer[] = []
  for (let id = 1; id <= members; id++)
    requests.push(
      encodeBenchHttpRequest('GET', path.replace(':nextMember', String(id + 1)), {
        who: await fetchBenchCookiesAndXsrfToken(url, id),
      }),
    )
  return requests
}

type Slice = Awaited<ReturnType<typeof measurePostgresBenchRequestsForSeconds>>

function addFigures(report: BenchReportPrinter, what: string, found: readonly Slice[], least: number) {
  const [ours, before, simplest] = found as [Slice, Slice, Slice | undefined]
  report.add({ what, ours: ours.perSecond, unit: '/s', aim: { least } })
  report.add({ what: `${what}, PostgreSQL`, ours: ours.postgres, unit: 'µs', aim: POSTGRES_AIM })
  for (const [comparedWith, theirs] of [
    ['without Redis', before],
    ['bare pg', simplest],
  ] as const) {
    if (!theirs) continue
    report.add({ what, ours: ours.perSecond, theirs: theirs.perSecond, comparedWith, unit: '/s' })
    const processor = { ours: ours.micros, theirs: theirs.micros, comparedWith, unit: 'µs' }
    report.add({ what: `${what}, processor`, ...processor })
    const postgres = { ours: ours.postgres, theirs: theirs.postgres, comparedWith, unit: 'µs' }
    report.add({ what: `${what}, PostgreSQL`, ...postgres })
  }
  if (ours.likes) report.note(`${what}: ${ours.likes.toFixed(0)} likes a second were written`)
}

export async function warmUpPostgresBenchContestant({ port, pids, requests }: PostgresBenchContestant) {
  let left = WARM * pids.length
  const next = () => (left-- > 0 ? requests[left % requests.length]! : null)
  await measureConcurrentHttpRequestsPerSecond(port, { connections: CONNECTIONS, next, status: 200 })
}

/**
 * Sends the requests in turn for `seconds` seconds. Returns the requests per second, the processor time of
 * the servers and of PostgreSQL for a request in µs, and the likes per second.
 */
export async function measurePostgresBenchRequestsForSeconds(
  { port, pids, requests, connections = CONNECTIONS }: PostgresBenchContestant,
  like: PostgresBenchContestant['like'],
  seconds: number,
  readPostgresTime: () => number,
) {
  const end = performance.now() + seconds * 1000
  let sent = 0
  const next = () => (performance.now() < end ? requests[sent++ % requests.length]! : null)
  const likes = like ? writeLikes(like, end) : Promise.resolve(0)
  const readServerTime = () => pids.reduce((sum, pid) => sum + readCpuTimeOfProcess(pid), 0)
  const [server, postgres] = [readServerTime(), readPostgresTime()]
  const done = await measureConcurrentHttpRequestsPerSecond(port, {
    connections,
    next,
    status: 200,
  })
  const [serverAfter, postgresAfter] = [readServerTime(), readPostgresTime()]
  return {
    perSecond: done.perSecond,
    micros: ((serverAfter - server) * 1000) / done.requests,
    postgres: ((postgresAfter - postgres) * 1000) / done.requests,
    likes: (await likes) / done.seconds,
  }
}

/**
 * Writes a like every 20 ms until `end`, whether or not the likes before have been answered. Returns the
 * number of likes.
 */
async function writeLikes(like: () => Promise<unknown>, end: number) {
  const all: Promise<unknown>[] = []
  for (let due = performance.now(); due < end; due += 1000 / LIKES) {
    await sleep(Math.max(0, due - performance.now()))
    all.push(like())
  }
  return (await Promise.all(all)).length
}

/**
 * Returns a function that toggles the like of one member for one of the 20 newest posts, a different post at
 * each call.
 */
export async function createBenchLikeToggler(url: string, posts: number) {
  const { cookie, token } = await fetchBenchCookiesAndXsrfToken(url, LIKER)
  let count = 0
  return async () => {
    const post = posts - (count++ % 20)
    const headers = { cookie, 'x-xsrf-token': decodeURIComponent(token) }
    const { status } = await fetch(`${url}/api/posts/${post}/like`, { method: 'POST', headers })
    if (status !== 200) throw new Error(`A like is answered with ${status}`)
  }
}

/**
 * Returns a function that returns the processor time in milliseconds that all processes of a PostgreSQL
 * server have used so far.
 */
export async function createPostgresCpuTimeReader(url: string) {
  const query = `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as pid`
  const main = Number((await runPostgresQuery(url, query)).rows[0].pid)
  return () => {
    const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && readParent(name) === main)
    return children.reduce(
      (sum, pid) => sum + (readCpuTimeOfProcess(Number(pid)) || 0),
      readCpuTimeOfProcess(main) + readCpuTimeOfEndedChildProcesses(main),
    )
  }
}

/** Returns the process id of the parent of a process; 0 if the process has ended. */
function readParent(pid: string) {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1])
  } catch {
    return 0
  }
}
