import { sql } from 'kysely'
import { inject, onTestFinished, vi } from 'vitest'
import { createQueryCacheFactory, type ReadRowMapForKeys } from '#core/database/cache.ts'
import type { OpenedDatabase, QueryCacheDependency } from '#core/database/database.ts'
import { startRedisTableVersions } from '#core/database/table-versions.ts'
import { transaction } from '#core/database/transaction.ts'
import { openConnectionsToOneEmptyDatabase } from './databases.ts'
import { createFakeTableVersionsRedis } from './fake-redis.ts'

const schema = [
  'create table named_locks (name text primary key)',
  'create table birds (id bigint primary key, name text)',
  'create table eggs (bird_id bigint references birds (id) on delete cascade)',
  'create table fish (name text)',
  `insert into birds values (1, 'crane')`,
]

/** Opens one database `times` times for a test, as processes that share a Redis do. */
export async function openTestProcessesWithTableVersions(times: number) {
  const databases = await openConnectionsToOneEmptyDatabase('postgres', times)
  await runStatementsInTestDatabase(databases[0]!, ...schema)
  const fake = createFakeTableVersionsRedis()
  const processes = []
  for (const database of databases) processes.push(await startTestProcessWithTableVersions(database, fake))
  return { fake, databases, processes: processes as [Process, Process] }
}

export const runStatementsInTestDatabase = ({ db }: OpenedDatabase, ...statements: string[]) =>
  transaction(db, async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })

type Process = Awaited<ReturnType<typeof startTestProcessWithTableVersions>>

export async function startTestProcessWithTableVersions(
  database: OpenedDatabase,
  { redis, loseConnections }: ReturnType<typeof createFakeTableVersionsRedis>,
) {
  const log = { warn: vi.fn() }
  const versions = await startRedisTableVersions(database.db, redis, log)
  onTestFinished(() => versions.close())
  const cacheOf = (...dependencies: string[]) =>
    createQueryCacheFactory(database, versions)<number>(dependencies as QueryCacheDependency[], 10)
  const ofMembers = (dependencies: readonly string[], tables: readonly string[]) =>
    createQueryCacheFactory(database, versions).ofMembers<number>(
      dependencies as QueryCacheDependency[],
      tables as QueryCacheDependency[],
      10,
    )
  const rowsOf = (dependency: string, read: ReadRowMapForKeys<string, boolean>) =>
    createQueryCacheFactory(database, versions).ofRows([dependency as QueryCacheDependency], 10, read)
  /**
   * Returns `read`, a function that counts the rows of a table through a cache, and the number of its queries
   * (`queries`).
   */
  function countRowsOf(table: string, ...dependencies: string[]) {
    const cache = cacheOf(...dependencies)
    const counter = { queries: 0, read: () => cache('count', query) }
    async function query() {
      counter.queries++
      const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(
        database.db,
      )
      return rows[0]!.n
    }
    return counter
  }
  return {
    db: database.db,
    log,
    counts: versions.cacheCounts,
    cacheOf,
    ofMembers,
    rowsOf,
    countRowsOf,
    loseConnections,
    write: runStatementsInTestDatabase.bind(null, database),
  }
}

/**
 * Opens one more connection to the database of these connections. The changes of this connection are not
 * tracked.
 */
export async function openAnotherTestConnection(databases: readonly OpenedDatabase[]) {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(databases[0]!.db)
  const { openPostgres } = await import('#core/database/postgres.ts')
  const url = new URL(inject('postgres')!)
  url.pathname = rows[0]!.name
  const database = await openPostgres(url.href)
  onTestFinished(() => database.close())
  return [database] as const
}
