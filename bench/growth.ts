import { race, type Side } from './client.ts'
import type { Community } from './community.ts'
import { type Copy, redisEnvironment, type Store } from './copies.ts'
import { lists, requests } from './lists.ts'
import type { Server } from './processes.ts'
import { constant, inTurns, type Report, type Settings } from './report.ts'
import { idleMemory, start } from './resources.ts'
import { type Dimension, dimensions } from './sizes.ts'
import { type Kind, writes } from './write-kinds.ts'
import { engawaWriter, raceWriters, type Writer } from './writes.ts'

const MB = 2 ** 20
/** Requests of one member at the same moment would share their queries. */
const READERS = 20

/** Every dimension at ×10, and at ×100 if wanted; of a chosen one, the largest step alone. */
export const steps = ({ most, dimension: only }: Settings) =>
  [10, 100]
    .filter((factor) => factor <= most && (only === undefined || factor * 10 > most))
    .flatMap((factor) =>
      dimensions
        .filter((dimension) => only === undefined || dimension === only)
        .map((dimension): [Dimension, number] => [dimension, factor]),
    )

/**
 * Measures a large and a small community in turns: lists, writes, and on SQLite the start and the memory. On
 * PostgreSQL, lists are read without Redis, because with it nothing is read while nothing changes.
 */
export async function measureGrowth(
  report: Report,
  name: string,
  communities: readonly [large: Community, small: Community],
  settings: Settings,
  store: Store,
) {
  const few = { ...settings, rounds: Math.min(settings.rounds, 3) }
  const add = (what: string, [ours, theirs]: readonly number[], unit: string) =>
    report.add({
      ...{ what: `${name}: ${what}`, ours: ours!, theirs: theirs!, beside: 'itself at ×1', unit },
      aim: constant,
    })
  const copies = [await store.copy(communities[0]), await store.copy(communities[1])] as const
  await compareLists(add, communities, copies, few, store)
  await compareWrites(report, add, communities, copies, few, store)
  if (settings.database === 'postgres') return
  const starts = await inTurns(5, copies, start)
  add(
    'start',
    starts.map(({ ms }) => ms),
    'ms',
  )
  const [more, idle] = [await idleMemory(copies[0]), await idleMemory(copies[1])]
  add('idle memory', [more / MB, idle / MB], 'MB')
}

type Add = (what: string, both: readonly number[], unit: string) => void

async function compareLists(
  add: Add,
  communities: readonly Community[],
  copies: readonly Copy[],
  settings: Settings,
  store: Store,
) {
  const servers: Server[] = []
  for (const copy of copies) servers.push(await copy.startServer())
  const [large, small] = communities.map((community) => lists(community, READERS))
  for (const [n, list] of large!.entries()) {
    const sides: Side[] = []
    for (const [m, server] of servers.entries()) {
      const all = await requests(server.url, m ? small![n]! : list)
      // Requests of one reader would share their queries, and a slow query would be shared by more of them.
      sides.push({ ...server, requests: all, ...(all.length === 1 && { connections: 1 }) })
    }
    const costs = await race(sides, settings, store.cpuTime)
    addCosts(add, list.what, costs, settings)
  }
  for (const server of servers) await server.stop()
}

async function compareWrites(
  report: Report,
  add: Add,
  communities: readonly [Community, Community],
  copies: readonly Copy[],
  settings: Settings,
  store: Store,
) {
  const isPostgres = settings.database === 'postgres'
  const open: { stop(): Promise<unknown> }[] = []
  const writers: Writer[] = []
  for (const [n, copy] of copies.entries()) {
    const redis = isPostgres ? await redisEnvironment() : null
    const server = await copy.startServer(redis?.env)
    writers.push(await engawaWriter(server, copy, communities[n]!))
    open.push(server, ...(redis ? [redis] : []))
  }
  for (const kind of Object.keys(writes) as Kind[]) {
    const costs = await raceWriters(report, kind, writers, communities, settings, store)
    addCosts(add, writes[kind].what, costs, settings)
  }
  for (const one of open) await one.stop()
}

function addCosts(
  add: Add,
  what: string,
  costs: readonly { micros: number; database: number }[],
  { database }: Settings,
) {
  const of = (key: 'micros' | 'database') => costs.map((cost) => cost[key])
  add(`${what}, processor`, of('micros'), 'µs')
  if (database === 'postgres') add(`${what}, PostgreSQL`, of('database'), 'µs')
}
