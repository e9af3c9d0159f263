import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { findRedisServerPath } from '#tests/programs.ts'
import { startTemporaryRedis } from '#tests/redis.ts'
import { runPostgresQuery, startTemporaryPostgres } from '#tests/services.ts'
import { encodeBenchHttpRequest } from './client.ts'
import { type BenchCommunity, ensureBenchRootFolder } from './community.ts'
import { createListBenchCases } from './lists.ts'
import {
  copyBenchCommunityToPostgres,
  createPostgresCpuTimeReader,
  encodePostgresBenchRequestsOfCase,
  measurePostgresBenchRequestsForSeconds,
  type PostgresBenchContestant,
  warmUpPostgresBenchContestant,
} from './postgres.ts'
import { createPostgresWriteBenchContestant, postgresWriteBenchDefinitionsByKind } from './postgres-writes.ts'
import { type BenchServer, readCpuTimeOfProcess, startBenchServer } from './processes.ts'
import {
  type BenchReportPrinter,
  type BenchSettings,
  CONSTANT_COST_RATIO_BENCH_THRESHOLD,
  measureMediansInTurns,
} from './report.ts'

/** The number of rows that each server writes before the measurement, and in each round. */
const WARM_WRITES = 1000
const WRITES_OF_ROUND = 700
/**
 * The memory of PostgreSQL for pages, so that it holds the indexes of both communities. With less, the figures
 * would compare reading from the system's cache with reading from memory.
 */
const SHARED_BUFFERS = '2GB'
/** The number of members who request a list in turn. The requests of one member share their queries. */
const MEMBERS = 20

interface CopyInPostgres {
  community: BenchCommunity
  url: string
  folder: string
}

/**
 * Reports the processor time of the servers and of PostgreSQL with the large community, compared with the
 * small one.
 */
type AddCosts = (what: string, large: Costs, small: Costs) => void
/** The processor time of a request or a row, in µs: of the server (`micros`) and of PostgreSQL. */
interface Costs {
  micros: number
  postgres: number
}

/**
 * Compares the costs of a large and a small community on PostgreSQL, measured in turns: of lists, with
 * processes without Redis, which read everything from PostgreSQL; and of writes, with processes with Redis.
 */
export async function compareAndReportCommunitySizesOnPostgres(
  report: BenchReportPrinter,
  what: string,
  small: BenchCommunity,
  large: BenchCommunity,
  settings: BenchSettings,
) {
  const parent = ensureBenchRootFolder()
  const postgres =
    findRedisServerPath() && (await startTemporaryPostgres({ parent, sharedBuffers: SHARED_BUFFERS }))
  if (!postgres) return report.note('Left out: growth on PostgreSQL needs PostgreSQL and Redis.')
  const copies: CopyInPostgres[] = []
  for (const community of [large, small])
    copies.push({ community, ...(await copyBenchCommunityToPostgres(postgres.url, community)) })
  const readPostgresTime = await createPostgresCpuTimeReader(postgres.url)
  const add: AddCosts = (name, ours, theirs) => {
    const common = { comparedWith: 'itself at ×1', unit: 'µs', aim: CONSTANT_COST_RATIO_BENCH_THRESHOLD }
    const [server, database] = [`${what}: ${name}, processor`, `${what}: ${name}, PostgreSQL`]
    report.add({ what: server, ours: ours.micros, theirs: theirs.micros, ...common })
    report.add({ what: database, ours: ours.postgres, theirs: theirs.postgres, ...common })
  }
  const few = { ...settings, rounds: Math.min(settings.rounds, 3) }
  await compareReads(add, copies, few, readPostgresTime)
  await compareWrites(add, copies, few, readPostgresTime)
  await postgres.stop()
  for (const { folder } of copies) rmSync(folder, { recursive: true, force: true })
}

async function compareReads(
  add: AddCosts,
  copies: readonly CopyInPostgres[],
  settings: BenchSettings,
  readPostgresTime: () => number,
) {
  const servers: BenchServer[] = []
  for (const { url, folder } of copies) servers.push(await startBenchServer(folder, { DATABASE_URL: url }))
  const [large, small] = await Promise.all(
    servers.map((server, n) => createReadCases(server, copies[n]!.community)),
  )
  for (const [n, { what, requests }] of large!.entries()) {
    const both = [requests, small![n]!.requests].map(
      (given, m): PostgresBenchContestant => ({
        port: servers[m]!.port,
        pids: [servers[m]!.pid],
        requests: given,
        like: null,
        // Requests of one reader would share their queries, and a slow query would be shared by more of them.
        ...(given.length === 1 && { connections: 1 }),
      }),
    )
    for (const one of both) await warmUpPostgresBenchContestant(one)
    const [ours, theirs] = await measureMediansInTurns(settings.rounds, both, (one) =>
      measurePostgresBenchRequestsForSeconds(one, null, settings.seconds, readPostgresTime),
    )
    add(what, ours!, theirs!)
  }
  await Promise.all(servers.map((server) => server.stop()))
}

/**
 * Returns the requests to measure, each with a name (`what`). They are the same for a small and a large
 * community.
 */
async function createReadCases(server: BenchServer, community: BenchCommunity) {
  const { posts } = community.size
  const paths = {
    'GET posts, 20 members': '/api/posts',
    'GET posts, older, 20 members': `/api/posts?before=${Math.floor(posts / 2)}`,
    'GET following, 20 members': '/api/posts/following',
    'GET users, 20 members': '/api/users?q=ar',
    'GET conversations, 20 members': '/api/conversations',
    'GET messages, 20 members': '/api/messages/:nextMember',
    'GET unread messages, 20 members': '/api/unread',
    'GET notifications, 20 members': '/api/notifications',
    'GET unread notifications, 20 members': '/api/notifications/unread',
    'page /, 20 members': '/',
  }
  const cases = Object.entries(paths).map(async ([what, path]) => ({
    what,
    requests: await encodePostgresBenchRequestsOfCase(server.url, { path, members: MEMBERS }),
  }))
  const feeds = (await createListBenchCases(server, community))
    .filter(({ reader }) => reader && reader.followed !== 500)
    .map(({ what, path, who }) => ({ what, requests: [encodeBenchHttpRequest('GET', path, { who: who! })] }))
  return [...(await Promise.all(cases)), ...feeds]
}

async function compareWrites(
  add: AddCosts,
  copies: readonly CopyInPostgres[],
  settings: BenchSettings,
  readPostgresTime: () => number,
) {
  const redis = [await startTemporaryRedis(), await startTemporaryRedis()]
  const servers: BenchServer[] = []
  for (const [n, { url, folder }] of copies.entries())
    servers.push(await startBenchServer(folder, { DATABASE_URL: url, REDIS_URL: redis[n]!.url }))
  const contestants = await Promise.all(
    servers.map((server, n) => createPostgresWriteBenchContestant(server, copies[n]!.community)),
  )
  for (const kind of ['likes', 'posts', 'privateMessages', 'groupMessages', 'follows'] as const) {
    const { what, generate } = postgresWriteBenchDefinitionsByKind[kind]
    const both = copies.map(({ community }, n) => {
      const db = new DatabaseSync(community.file, { readOnly: true })
      const rows = generate(db, community)
      const write = (count: number) =>
        contestants[n]!.write(
          kind,
          Array.from({ length: count }, () => rows.next().value),
        )
      return { pid: servers[n]!.pid, db, write }
    })
    for (const { write } of both) await write(WARM_WRITES)
    // Updates the statistics of PostgreSQL, so that autovacuum does not do it during the measurement. After
    // that, the connections replace the plans that they have made for nearly empty tables.
    for (const { url } of copies) await runPostgresQuery(url, 'analyze')
    for (const { write } of both) await write(WARM_WRITES)
    const [ours, theirs] = await measureMediansInTurns(settings.rounds, both, async ({ pid, write }) => {
      const [server, postgres] = [readCpuTimeOfProcess(pid), readPostgresTime()]
      await write(WRITES_OF_ROUND)
      const toMicros = (ms: number) => (ms * 1000) / WRITES_OF_ROUND
      return {
        micros: toMicros(readCpuTimeOfProcess(pid) - server),
        postgres: toMicros(readPostgresTime() - postgres),
      }
    })
    add(what, ours!, theirs!)
    for (const { db } of both) db.close()
  }
  await Promise.all(servers.map((server) => server.stop()))
  for (const one of redis) await one.stop()
}
