import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { findRedisServerPath } from '#tests/programs.ts'
import { startTemporaryRedis } from '#tests/redis.ts'
import { runPostgresQuery, startTemporaryPostgres } from '#tests/services.ts'
import {
  type BenchCookiesAndXsrfToken,
  createNextBenchRequestFunctionFromList,
  encodeBenchHttpRequest,
  fetchBenchCookiesAndXsrfToken,
  measureConcurrentHttpRequestsPerSecond,
} from './client.ts'
import { type BenchCommunity, ensureBenchRootFolder } from './community.ts'
import { copyBenchCommunityToPostgres, createPostgresCpuTimeReader } from './postgres.ts'
import { type BenchServer, readCpuTimeOfProcess, startBenchServer, startBenchWorker } from './processes.ts'
import { createSeededRandomFunction } from './random.ts'
import { type BenchReportPrinter, type BenchSettings, measureMediansInTurns } from './report.ts'
import { copyBenchCommunity } from './writes.ts'

const CONNECTIONS = 64
/** The number of members who write rows. */
const WRITERS = 200
/** The rows of each kind that each contestant writes before the measurement; Node compiles its code then. */
const WARM = 1500
/**
 * The targets for writes per second, and for the ratio of Engawa's writes per second to those of the simplest
 * program with `pg`.
 */
const AIM = { least: 1500 }
const BARE_AIM = { least: 0.5 }

/**
 * The data of a row to write, by its kind. The simplest program writes it, and the requests to Engawa are
 * made from it.
 */
export interface PostgresWriteBenchRowsByKind {
  likes: { member: number; post: number }
  posts: { member: number; client_id: string; body: string }
  privateMessages: { member: number; other: number; conversation: number; client_id: string; body: string }
  groupMessages: { member: number; conversation: number; client_id: string; body: string }
  follows: { member: number; other: number }
}
export type PostgresWriteBenchKind = keyof PostgresWriteBenchRowsByKind
type Row<K extends PostgresWriteBenchKind = PostgresWriteBenchKind> = PostgresWriteBenchRowsByKind[K]

interface WriteKind<K extends PostgresWriteBenchKind> {
  what: string
  table: 'likes' | 'posts' | 'messages' | 'follows'
  /** The status that the responses must have. If absent, it is 200. */
  status?: number
  /** Yields an endless sequence of rows that do not exist yet in the community. */
  generate(db: DatabaseSync, community: BenchCommunity): Generator<Row<K>>
  toRequest(row: Row<K>, who: BenchCookiesAndXsrfToken): Buffer
}

const countWriters = ({ size }: BenchCommunity) => Math.min(WRITERS, size.members)
const toText = (n: number) => `Good evening, this is number ${n}: is anybody at the river tomorrow?`

/**
 * Yields pairs of a writer's id and a number up to `max`, each pair once. Leaves out the pairs for which
 * `isKnown` is true.
 */
function* generateNewPairs(
  writers: number,
  max: number,
  seed: number,
  isKnown: (a: number, b: number) => unknown,
) {
  const random = createSeededRandomFunction(seed)
  for (const found = new Set<string>(); ; ) {
    const [a, b] = [1 + Math.floor(random() * writers), 1 + Math.floor(random() * max)]
    if (found.has(`${a} ${b}`) || isKnown(a, b)) continue
    found.add(`${a} ${b}`)
    yield [a, b] as const
  }
}

/** Yields the rows of a query one after the other, again and again, each with a running number. */
function* repeatRows<T>(
  db: DatabaseSync,
  query: string,
  ...values: number[]
): Generator<[row: T, n: number]> {
  const rows = db.prepare(query).all(...values) as T[]
  for (let n = 0; ; n++) yield [rows[n % rows.length]!, n]
}

export const postgresWriteBenchDefinitionsByKind: { [K in PostgresWriteBenchKind]: WriteKind<K> } = {
  likes: {
    what: 'PUT like',
    table: 'likes',
    *generate(db, community) {
      const known = db.prepare('select 1 from likes where user_id = ? and post_id = ?')
      const isKnown = (member: number, post: number) => known.get(member, post)
      for (const [member, post] of generateNewPairs(
        countWriters(community),
        community.size.posts,
        4,
        isKnown,
      ))
        yield { member, post }
    },
    toRequest: ({ post }, who) => encodeBenchHttpRequest('PUT', `/api/posts/${post}/like`, { who }),
  },
  posts: {
    what: 'POST post',
    table: 'posts',
    status: 201,
    *generate(_, community) {
      for (let n = 0; ; n++)
        yield { member: 1 + (n % countWriters(community)), client_id: `bench ${n}`, body: toText(n) }
    },
    toRequest: ({ client_id, body: text }, who) =>
      encodeBenchHttpRequest('POST', '/api/posts', { who, body: { text, client_id } }),
  },
  privateMessages: {
    what: 'POST private message',
    table: 'messages',
    *generate(db, community) {
      const chats = repeatRows<Omit<Row<'privateMessages'>, 'client_id' | 'body'>>(
        db,
        `select m.conversation_id as conversation, m.user_id as member, o.user_id as other
         from conversation_members m
         join conversation_members o on o.conversation_id = m.conversation_id and o.user_id != m.user_id
         join conversations c on c.id = m.conversation_id
         where c.pair is not null and m.user_id <= ? order by m.conversation_id * 7919 % 104729`,
        countWriters(community),
      )
      for (const [chat, n] of chats) yield { ...chat, client_id: `bench ${n}`, body: toText(n) }
    },
    toRequest: ({ other: targetUserId, client_id, body: input }, who) =>
      encodeBenchHttpRequest('POST', '/api/send-private-message', {
        who,
        body: { input, targetUserId, client_id },
      }),
  },
  groupMessages: {
    what: 'POST group message',
    table: 'messages',
    *generate(db, community) {
      const groups = repeatRows<{ conversation: number; member: number }>(
        db,
        `select m.conversation_id as conversation, m.user_id as member from conversation_members m
         join conversations c on c.id = m.conversation_id
         where c.pair is null and m.user_id <= ?
         order by m.user_id * 7919 % 104729, m.conversation_id`,
        countWriters(community),
      )
      for (const [group, n] of groups) yield { ...group, client_id: `group ${n}`, body: toText(n) }
    },
    toRequest: ({ conversation: group_id, client_id, body: message }, who) =>
      encodeBenchHttpRequest('POST', '/api/group-messages/send', {
        who,
        body: { message, group_id, client_id },
      }),
  },
  follows: {
    what: 'POST follow',
    table: 'follows',
    *generate(db, community) {
      const { members, occasional, postedOnce } = community.size
      const known = db.prepare('select 1 from follows where follower_id = ? and followed_id = ?')
      const isKnown = (member: number, other: number) => member === other || known.get(member, other)
      const people = members + occasional + postedOnce
      for (const [member, other] of generateNewPairs(countWriters(community), people, 5, isKnown))
        yield { member, other }
    },
    toRequest: ({ other }, who) => encodeBenchHttpRequest('POST', `/api/follow/${other}`, { who }),
  },
}

interface WriteFigures {
  perSecond: number
  /** The processor time of the writing program for a row, in µs. */
  micros: number
  /** The processor time of PostgreSQL for a row, in µs. */
  postgres: number
}

/**
 * A program that writes rows and is compared with others. `write` resolves to the number of rows per second.
 */
export interface PostgresWriteBenchContestant {
  pid: number
  write<K extends PostgresWriteBenchKind>(kind: K, rows: readonly Row<K>[]): Promise<number>
}

/**
 * Measures acknowledged writes of one Engawa process on PostgreSQL with Redis, in turns with one without
 * Redis, one on SQLite, and the simplest program that writes the same rows with `pg`, with a commit for each.
 * PostgreSQL waits for the disk at each commit, as it does by default. Each contestant has its own copy of
 * the community.
 */
export async function compareAndReportWritesOnPostgres(
  report: BenchReportPrinter,
  community: BenchCommunity,
  settings: BenchSettings,
) {
  const parent = ensureBenchRootFolder()
  const postgres = findRedisServerPath() && (await startTemporaryPostgres({ isDurable: true, parent }))
  if (!postgres) return report.note('Left out: the writes need PostgreSQL and Redis.')
  const redis = await startTemporaryRedis()
  const copies = await Promise.all([1, 2, 3].map(() => copyBenchCommunityToPostgres(postgres.url, community)))
  const [first, second, third] = copies as [Copy, Copy, Copy]
  const sqliteFolder = copyBenchCommunity(community)
  const servers = [
    await startBenchServer(first.folder, { DATABASE_URL: first.url, REDIS_URL: redis.url }),
    await startBenchServer(second.folder, { DATABASE_URL: second.url }),
    await startBenchServer(sqliteFolder),
  ]
  const bare = await startBenchWorker('bare-postgres-writes.ts', third.url)
  const contestants: PostgresWriteBenchContestant[] = []
  for (const server of servers) contestants.push(await createPostgresWriteBenchContestant(server, community))
  contestants.push({
    pid: bare.pid,
    write: async (kind, rows) => rows.length / (await bare.ask<number>({ kind, rows })),
  })
  const readPostgresTime = await createPostgresCpuTimeReader(postgres.url)
  for (const kind of Object.keys(postgresWriteBenchDefinitionsByKind) as PostgresWriteBenchKind[])
    await compareKind(report, kind, contestants, { community, settings, readPostgresTime, copies })
  await Promise.all([...servers.map((server) => server.stop()), bare.stop()])
  await Promise.all([postgres.stop(), redis.stop()])
  for (const folder of [sqliteFolder, ...copies.map((copy) => copy.folder)])
    rmSync(folder, { recursive: true, force: true })
}

type Copy = Awaited<ReturnType<typeof copyBenchCommunityToPostgres>>

export async function createPostgresWriteBenchContestant(
  { url, port, pid }: BenchServer,
  community: BenchCommunity,
): Promise<PostgresWriteBenchContestant> {
  const who = new Map<number, BenchCookiesAndXsrfToken>()
  for (let id = 1; id <= countWriters(community); id++)
    who.set(id, await fetchBenchCookiesAndXsrfToken(url, id))
  return {
    pid,
    async write(kind, rows) {
      const { toRequest, status = 200 } = postgresWriteBenchDefinitionsByKind[kind]
      const next = createNextBenchRequestFunctionFromList(
        rows.map((row) => toRequest(row, who.get(row.member)!)),
      )
      const options = { connections: CONNECTIONS, next, status }
      return (await measureConcurrentHttpRequestsPerSecond(port, options)).perSecond
    },
  }
}

async function compareKind<K extends PostgresWriteBenchKind>(
  report: BenchReportPrinter,
  kind: K,
  contestants: readonly PostgresWriteBenchContestant[],
  {
    community,
    settings,
    readPostgresTime,
    copies,
  }: {
    community: BenchCommunity
    settings: BenchSettings
    readPostgresTime: () => number
    copies: readonly Copy[]
  },
) {
  const { what, table, generate } = postgresWriteBenchDefinitionsByKind[kind] as WriteKind<K>
  const db = new DatabaseSync(community.file, { readOnly: true })
  const rows = generate(db, community)
  const take = (count: number) => Array.from({ length: count }, () => rows.next().value as Row<K>)
  const count = (url: string) => runPostgresQuery(url, `select count(*)::int as n from ${table}`)
  const before = await Promise.all(copies.map(async ({ url }) => (await count(url)).rows[0].n as number))

  let written = WARM
  let some = take(WARM)
  let slowest = Number.POSITIVE_INFINITY
  for (const one of contestants) slowest = Math.min(slowest, await one.write(kind, some))
  // Updates the statistics of PostgreSQL, as autovacuum would do some minutes later. Without this,
  // connections keep the plans that they made for nearly empty tables.
  for (const { url } of copies) await runPostgresQuery(url, 'analyze')
  const length = Math.ceil(slowest * settings.seconds * 2)
  const measure = async (one: PostgresWriteBenchContestant): Promise<WriteFigures> => {
    if (one === contestants[0]) {
      some = take(length)
      written += length
    }
    const [program, postgres] = [readCpuTimeOfProcess(one.pid), readPostgresTime()]
    const perSecond = await one.write(kind, some)
    const toMicros = (ms: number) => (ms * 1000) / some.length
    return {
      perSecond,
      micros: toMicros(readCpuTimeOfProcess(one.pid) - program),
      postgres: toMicros(readPostgresTime() - postgres),
    }
  }
  addWriteFigures(report, what, await measureMediansInTurns(settings.rounds, contestants, measure))
  for (const [n, { url }] of copies.entries()) {
    const stored = (await count(url)).rows[0].n - before[n]!
    if (stored !== written)
      report.error(`${what}: ${written} rows were acknowledged, and ${stored} are stored`)
  }
  db.close()
}

function addWriteFigures(report: BenchReportPrinter, what: string, found: readonly WriteFigures[]) {
  const [ours, alone, sqlite, bare] = found as [WriteFigures, WriteFigures, WriteFigures, WriteFigures]
  report.add({ what, ours: ours.perSecond, unit: '/s', aim: AIM })
  for (const [comparedWith, theirs] of [
    ['without Redis', alone],
    ['SQLite', sqlite],
    ['bare pg', bare],
  ] as const) {
    const aim = theirs === bare ? { aim: BARE_AIM } : {}
    report.add({ what, ours: ours.perSecond, theirs: theirs.perSecond, comparedWith, unit: '/s', ...aim })
    const processor = { ours: ours.micros, theirs: theirs.micros, comparedWith, unit: 'µs' }
    report.add({ what: `${what}, processor`, ...processor })
    if (theirs === sqlite) continue
    const postgres = { ours: ours.postgres, theirs: theirs.postgres, comparedWith, unit: 'µs' }
    report.add({ what: `${what}, PostgreSQL`, ...postgres })
  }
}
