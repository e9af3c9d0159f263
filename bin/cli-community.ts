import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import * as v from 'valibot'
import { allMigrations } from '#app.ts'
import { setAuditLogKey } from '#core/audit-log/keeper.ts'
import { readSettings } from '#core/community/settings.ts'
import { type Config, OperatorError, readConfig, readEnvironment } from '#core/config.ts'
import type { Db } from '#core/database/database.ts'
import { listPending, requireKnownSchema } from '#core/database/migrate.ts'
import { startSendingChanges } from '#core/database/table-versions.ts'
import { emitByJob } from '#core/feature/listeners.ts'
import { openRedis, type Redis } from '#core/process/redis.ts'
import * as storedSecrets from '#core/secrets/secrets.ts'
import { openDatabase } from '#main.ts'

export interface CliOption {
  /** The name of the option's value in capitals; an option without it is a switch. */
  value?: string
  /** What the option does. An option without it is only for the program itself, and no help names it. */
  description?: string
}

/** A command of the program `engawa`. `run` does the work and returns the text to print. */
export interface CliCommand {
  /** The name of the command's argument in capitals, in brackets if the argument is optional. */
  argument?: string
  /** The command's options by their names, such as `overwrite` for `--overwrite`. */
  options?: Readonly<Record<string, CliOption>>
  description: string
  run(
    given: string | undefined,
    options: Readonly<Record<string, string | boolean | undefined>>,
  ): Promise<string>
}

/** Checks an argument as the pages do. Throws an OperatorError with this text if it does not fit. */
export function parse<Schema extends v.GenericSchema>(schema: Schema, given: unknown, text: string) {
  const parsed = v.safeParse(schema, given)
  if (!parsed.success) throw new OperatorError(text)
  return parsed.output
}

/** Throws an OperatorError if the data folder (DATA_DIR) has no SQLite database. */
export function assertSqliteFileExists() {
  const { DATA_DIR } = readEnvironment()
  if (!existsSync(join(DATA_DIR, 'engawa.db')))
    throw new OperatorError(`DATA_DIR holds no community: there is no engawa.db in ${DATA_DIR}.`)
}

/**
 * Opens the database that the environment settings name, calls `work` with it, and closes it. The server may
 * run at the same time.
 */
export async function withCommunityDatabase<T>(
  work: (community: { db: Db; config: Config }) => Promise<T>,
): Promise<T> {
  if (!readEnvironment().DATABASE_URL) assertSqliteFileExists()
  const config = readConfig()
  const database = await openDatabase(config, { withoutTimeouts: true })
  try {
    // Waits up to a minute for the lock of the SQLite file, because a busy server holds this lock almost
    // all the time. The server itself waits at most five seconds (core/database/sqlite.ts).
    if (!config.DATABASE_URL) await sql`pragma busy_timeout = 60000`.execute(database.db)
    await requireKnownSchema(database.db, allMigrations)
    if ((await listPending(database.db, allMigrations)).length)
      throw new OperatorError('The database is of another version: start the server once, then try again.')
    setAuditLogKey(database.db, config.AUDIT_LOG_KEY)
    const shared = await storedSecrets.share(config, database.db)
    const closeRedis = shared.REDIS_URL && (await sendChangesToServers(shared, shared.REDIS_URL, database.db))
    try {
      return await work({ db: database.db, config: shared })
    } finally {
      if (closeRedis) await closeRedis()
    }
  } finally {
    await database.close()
  }
}

/**
 * Returns what functions of features need that the operator calls: no sockets (`realtime` is null), and
 * events that a job of a running server announces.
 */
export async function createOperatorContext(db: Db, config: Config) {
  const settings = await readSettings(db, config)
  const { community_name: name, accent_colour } = settings
  const origin = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`
  return {
    db,
    config,
    emit: emitByJob,
    realtime: null,
    settings: { current: () => settings },
    publicSite: { origin, name, accent_colour },
  }
}

/** Says on standard error where links lead if PUBLIC_URL is not set: the server may have another port. */
export function warnOfLocalLinks({ config, publicSite }: Awaited<ReturnType<typeof createOperatorContext>>) {
  if (!config.PUBLIC_URL) console.error(`PUBLIC_URL is not set, so links begin with ${publicSite.origin}.`)
}

/**
 * Tells the running servers at once, through Redis, which tables this command has changed. Connects to Redis
 * at the first write. Returns a function that closes the connection.
 */
async function sendChangesToServers(config: Config, addresses: readonly string[], db: Db) {
  let redis: Promise<Redis> | undefined
  const getRedis = () => {
    redis ??= openRedis(config, addresses)
    // Forgets a connection that failed, so that the next write tries again.
    redis.catch(() => (redis = undefined))
    return redis
  }
  const warn = (...about: unknown[]) => console.error(about.at(-1))
  const versions = await startSendingChanges(db, getRedis, { warn })
  return async () => {
    versions.close()
    await (await redis?.catch(() => undefined))?.close()
  }
}
