import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startTemporaryRedis } from '#tests/redis.ts'
import { runPostgresQuery, startTemporaryPostgres } from '#tests/services.ts'
import type { BenchCommunity } from './community.ts'
import { copyBenchCommunityToPostgres } from './postgres.ts'
import { type BenchServer, startBenchServer } from './processes.ts'
import { METRICS_TOKEN } from './soak-samples.ts'
import { copyBenchCommunity } from './writes.ts'

/** The Engawa processes of a soak test, with their database and data folder. */
export interface SoakServers {
  servers: readonly BenchServer[]
  /** Returns the number of rows of each table, and under `files` the number of picture files. */
  countRows: () => Promise<ReadonlyMap<string, number>>
  stop: () => Promise<void>
}

/** Starts one Engawa process for the soak test on a copy of the community in SQLite. */
export async function startSqliteSoakServer(community: BenchCommunity): Promise<SoakServers> {
  const folder = copyBenchCommunity(community)
  const server = await startBenchServer(folder, { METRICS_TOKEN })
  return {
    servers: [server],
    async countRows() {
      const db = new DatabaseSync(join(folder, 'engawa.db'), { readOnly: true })
      const run = async (query: string) => db.prepare(query).all() as unknown as readonly Row[]
      const names = await run(
        `select name from sqlite_master where type = 'table' and sql not like '%virtual%'`,
      )
      const rows = await countRowsOfTables(names, run, folder)
      db.close()
      return rows
    },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts three Engawa processes for the soak test on a copy of the community in PostgreSQL, with Redis. */
export async function startPostgresSoakServers(community: BenchCommunity): Promise<SoakServers> {
  const postgres = await startTemporaryPostgres()
  if (!postgres) throw new Error('PostgreSQL is not installed')
  const redis = await startTemporaryRedis()
  const { url, folder } = await copyBenchCommunityToPostgres(postgres.url, community)
  const env = { DATABASE_URL: url, REDIS_URL: redis.url, METRICS_TOKEN }
  const servers: BenchServer[] = []
  for (let n = 0; n < 3; n++) servers.push(await startBenchServer(folder, env))
  return {
    servers,
    async countRows() {
      const run = async (query: string) => (await runPostgresQuery(url, query)).rows as readonly Row[]
      const names = await run(`select tablename as name from pg_tables where schemaname = 'public'`)
      return countRowsOfTables(names, run, folder)
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
      await Promise.all([postgres.stop(), redis.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Row {
  name: string
  count: number
}

async function countRowsOfTables(
  names: readonly Pick<Row, 'name'>[],
  run: (query: string) => Promise<readonly Row[]>,
  folder: string,
) {
  const rows = new Map<string, number>([['files', countFiles(join(folder, 'media'))]])
  for (const { name } of names) {
    const [found] = await run(`select count(*) as count from "${name}"`)
    rows.set(name, Number(found!.count))
  }
  return rows
}

function countFiles(folder: string) {
  try {
    return readdirSync(folder, { recursive: true }).length
  } catch {
    return 0
  }
}
