import { sql } from 'kysely'
import { inject, onTestFinished, vi } from 'vitest'
import { createCaches } from '#core/database/cache.ts'
import type { CacheDependency, OpenedDatabase } from '#core/database/database.ts'
import { startVersions } from '#core/database/table-versions.ts'
import { transaction } from '#core/database/transaction.ts'
import { openConnections } from './databases.ts'
import { fakeRedis } from './fake-redis.ts'

const schema = [
  'create table named_locks (name text primary key)',
  'create table birds (id bigint primary key, name text)',
  'create table eggs (bird_id bigint references birds (id) on delete cascade)',
  'create table fish (name text)',
  `insert into birds values (1, 'crane')`,
]

/** Opens one database `times` times for a test, as processes that share a Redis do. */
export async function openProcesses(times: number) {
  const databases = await openConnections('postgres', times)
  await runStatements(databases[0]!, ...schema)
  const fake = fakeRedis()
  const processes = []
  for (const database of databases) processes.push(await startProcess(database, fake))
  return { fake, databases, processes: processes as [Process, Process] }
}

export const runStatements = ({ db }: OpenedDatabase, ...statements: string[]) =>
  transaction(db, async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })

type Process = Awaited<ReturnType<typeof startProcess>>

export async function startProcess(
  database: OpenedDatabase,
  { redis, loseConnections }: ReturnType<typeof fakeRedis>,
) {
  const log = { warn: vi.fn() }
  const versions = await startVersions(database.db, redis, log)
  onTestFinished(() => versions.close())
  const cacheOf = (...dependencies: string[]) =>
    createCaches(database, versions)<number>(dependencies as CacheDependency[], 10)
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
    countRowsOf,
    loseConnections,
    write: runStatements.bind(null, database),
  }
}

/**
 * Opens one more connection to the database of these connections. The changes of this connection are not
 * tracked.
 */
export async function openAnother(databases: readonly OpenedDatabase[]) {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(databases[0]!.db)
  const { openPostgres } = await import('#core/database/postgres.ts')
  const url = new URL(inject('postgres')!)
  url.pathname = rows[0]!.name
  const database = await openPostgres(url.href)
  onTestFinished(() => database.close())
  return [database] as const
}
