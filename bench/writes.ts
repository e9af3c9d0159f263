import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { cookies, load, once, type Who } from './client.ts'
import type { Community } from './community.ts'
import type { Copy, Store } from './copies.ts'
import { cpuTime, type Server, startWorker } from './processes.ts'
import { inTurns, type Report, type Settings } from './report.ts'
import { type Kind, type Row, writers, writes } from './write-kinds.ts'

const CONNECTIONS = 64
const AIM = { least: 0.5 }
/** The rows of each kind before the measurement, because Node compiles code that runs often. */
const WARM = 1500

/** A program that writes rows, and a copy that it writes to. */
export interface Writer {
  pid: number
  copy: Copy
  /** Resolves to the rows per second. */
  write(kind: Kind, rows: readonly Row[]): Promise<number>
}

export async function engawaWriter({ url, port, pid }: Server, copy: Copy, community: Community) {
  const who = new Map<number, Who>()
  for (let id = 1; id <= writers(community); id++) who.set(id, await cookies(url, id))
  return {
    pid,
    copy,
    async write(kind, rows) {
      const { request, status = 200 } = writes[kind]
      const next = once(rows.map((row) => request(row as never, who.get(row.member)!)))
      return (await load(port, { connections: CONNECTIONS, next, status })).perSecond
    },
  } satisfies Writer
}

/**
 * Measures durable writes through HTTP beside the simplest program that commits the same rows. Each has its
 * own copy of the community.
 */
export async function measureWrites(
  report: Report,
  community: Community,
  settings: Settings,
  store: Store,
  env: Record<string, string> = {},
) {
  const copy = await store.copy(community)
  const server = await copy.startServer(env)
  const bareCopy = await store.copy(community)
  const target = bareCopy.url ?? join(bareCopy.folder, 'engawa.db')
  const bare = await startWorker('bare.ts', 'writes', target)
  const sides: Writer[] = [
    await engawaWriter(server, copy, community),
    {
      pid: bare.pid,
      copy: bareCopy,
      write: async (kind, rows) => rows.length / (await bare.ask<number>({ kind, rows })),
    },
  ]
  const beside = copy.url ? 'bare pg' : 'bare SQLite'
  for (const kind of Object.keys(writes) as Kind[]) {
    const [ours, theirs] = await raceWriters(report, kind, sides, [community, community], settings, store)
    const { what } = writes[kind]
    const speed = { ours: ours!.perSecond, theirs: theirs!.perSecond, unit: '/s' }
    report.add({ what, beside, ...speed, aim: AIM })
    const micros = { ours: ours!.micros, theirs: theirs!.micros, unit: 'µs' }
    report.add({ what: `${what}, processor`, beside, ...micros })
    const database = { ours: ours!.database, theirs: theirs!.database, unit: 'µs' }
    if (copy.url) report.add({ what: `${what}, PostgreSQL`, beside, ...database })
  }
  await Promise.all([server.stop(), bare.stop()])
}

/** Both sides write new rows of a kind in turns. An acknowledged row that is not stored is an error. */
export async function raceWriters(
  report: Report,
  kind: Kind,
  sides: readonly Writer[],
  communities: readonly [Community, Community],
  settings: Settings,
  store: Store,
) {
  const { what, table } = writes[kind]
  const before = await Promise.all(sides.map(({ copy }) => count(copy, table)))
  const takers = communities.map((community) => taker(kind, community))
  let slowest = Number.POSITIVE_INFINITY
  for (const [n, { write }] of sides.entries())
    slowest = Math.min(slowest, await write(kind, takers[n]!(WARM)))
  // Until PostgreSQL has analysed the tables, connections keep plans for nearly empty ones.
  for (const { copy } of sides) if (copy.url) await copy.query('analyze')
  const length = Math.ceil(slowest * settings.seconds * 2)
  const figures = await inTurns(settings.rounds, [...sides.entries()], async ([n, { pid, write }]) => {
    const rows = takers[n]!(length)
    const [program, database] = [cpuTime(pid), store.cpuTime()]
    const perSecond = await write(kind, rows)
    const each = (ms: number) => (ms * 1000) / length
    return { perSecond, micros: each(cpuTime(pid) - program), database: each(store.cpuTime() - database) }
  })
  const written = WARM + length * settings.rounds
  for (const [n, { copy }] of sides.entries()) {
    const stored = (await count(copy, table)) - before[n]!
    if (stored !== written) report.error(`${what}: ${written} were acknowledged, and ${stored} are stored`)
    const [told] = await copy.query('select sum(likes_count) as likes from posts')
    if (Number(told!.likes) !== (await count(copy, 'likes')))
      report.error(`The posts tell of ${told!.likes} likes, and other many are stored`)
  }
  return figures
}

/** Takes new rows, the same for each side that has a taker for the same kind and community. */
function taker(kind: Kind, community: Community) {
  const db = new DatabaseSync(community.file, { readOnly: true })
  const rows = writes[kind].rows(db, community) as Generator<Row>
  return (length: number) => Array.from({ length }, () => rows.next().value as Row)
}

const count = async (copy: Copy, table: string) =>
  Number((await copy.query(`select count(*) as n from ${table}`))[0]!.n)
