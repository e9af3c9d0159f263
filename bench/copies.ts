import { constants, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { allMigrations } from '#app.ts'
import { moveToPostgres } from '#core/backup/move.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'
import { createDatabase, queryPostgres, startPostgres } from '#tests/services.ts'
import { benchFolder, type Community } from './community.ts'
import { cpuTime, endedCpuTime, startServer } from './processes.ts'

/** A copy of a community, which can be changed. */
export interface Copy {
  folder: string
  /** The address of the database; null for SQLite. */
  url: string | null
  query(sql: string): Promise<Record<string, unknown>[]>
  startServer(env?: Record<string, string>): ReturnType<typeof startServer>
}

/** Where copies are, with what a server on them needs. */
export interface Store {
  copy(community: Community): Promise<Copy>
  /** The address of a new database; null for SQLite. */
  emptyDatabase(): Promise<string | null>
  /** The processor time of the database so far, in ms; 0 for SQLite, which is part of the server. */
  cpuTime: () => number
  stop(): Promise<void>
}

const folders = new Set<string>()
export function removeCopies() {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  folders.clear()
}
process.once('exit', removeCopies)

/** No server runs on the community itself, because its database would then refuse other secrets. */
function copyFolder({ file }: Community) {
  const folder = mkdtempSync(join(benchFolder(), 'copy-'))
  folders.add(folder)
  copyFileSync(file, join(folder, 'engawa.db'), constants.COPYFILE_FICLONE)
  return folder
}

export const sqliteStore: Store = {
  async copy(community) {
    const folder = copyFolder(community)
    return {
      folder,
      url: null,
      async query(sql) {
        const db = new DatabaseSync(join(folder, 'engawa.db'))
        const rows = db.prepare(sql).all()
        db.close()
        return rows
      },
      startServer: (env = {}) => startServer(folder, env),
    }
  },
  emptyDatabase: async () => null,
  cpuTime: () => 0,
  async stop() {},
}

/** Starts a PostgreSQL; null if the machine lacks it or Redis. */
export async function postgresStore(): Promise<Store | null> {
  // The indexes of two communities fit in; with less, growth would measure the cache of the system.
  const settings = { parent: benchFolder(), sharedBuffers: '2GB', isDurable: true }
  const server = findRedis() && (await startPostgres(settings))
  if (!server) return null
  return {
    async copy(community) {
      const folder = copyFolder(community)
      const url = await createDatabase(server.url)
      const { db, close } = await openPostgres(url, { withoutTimeouts: true })
      await moveToPostgres(folder, db, allMigrations, null)
      await runMigrations(db, allMigrations)
      await close()
      const query = async (sql: string) => (await queryPostgres(url, sql)).rows
      // Without fresh statistics, plans would change when PostgreSQL analyses the tables by itself.
      await query('vacuum analyze')
      return {
        folder,
        url,
        query,
        startServer: (env = {}) => startServer(folder, { DATABASE_URL: url, ...env }),
      }
    },
    emptyDatabase: () => createDatabase(server.url),
    cpuTime: await postgresCpuTime(server.url),
    stop: server.stop,
  }
}

/** Starts a Redis, and returns the environment of the servers that use it. */
export async function redisEnvironment() {
  const redis = await startRedis()
  return { env: { REDIS_URL: redis.url }, stop: redis.stop }
}

async function postgresCpuTime(url: string) {
  const query = `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as pid`
  const main = Number((await queryPostgres(url, query)).rows[0].pid)
  return () => {
    const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === main)
    const running = children.reduce((sum, pid) => sum + (cpuTime(Number(pid)) || 0), 0)
    return running + cpuTime(main) + endedCpuTime(main)
  }
}

/** 0 if the process has ended. */
function parentOf(pid: string) {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1])
  } catch {
    return 0
  }
}
