import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { setPriority } from 'node:os'
import { extname, join } from 'node:path'
import { type Logger, pino } from 'pino'
import { type AppOptions, allMigrations, buildApp } from '#app.ts'
import { requireWritable } from '#core/backup/backup.ts'
import * as databaseCopy from '#core/backup/database-copy.ts'
import { requireNotMoved, requireWholeRestore } from '#core/backup/markers.ts'
import { type RunElsewhere, startSchedule } from '#core/backup/schedule.ts'
import {
  type Config,
  childEnvironment,
  findDatabaseUrl,
  hasBackupFolder,
  listWarnings,
  OperatorError,
  readConfig,
} from '#core/config.ts'
import { lockDataFolder } from '#core/database/data-folder.ts'
import type { OpenedDatabase } from '#core/database/database.ts'
import { requireKnownSchema, runMigrations } from '#core/database/migrate.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { operatorError } from '#core/environment/operator-errors.ts'
import { HttpError } from '#core/http/errors.ts'
import { type Frontend, loadFrontend } from '#core/http/frontend.ts'
import * as marker from '#core/media/marker.ts'
import { openStorage } from '#core/media/open-storage.ts'
import * as storedSecrets from '#core/secrets/secrets.ts'
import { setupHint } from '#features/people/setup.ts'

/**
 * The number of connections that may wait until the server accepts them. With Node's default of 511, a
 * burst of connections makes a browser wait for a second or more before it tries again.
 */
const BACKLOG = 4096

/**
 * How soon a server notices what the command line asks of it, such as closing the sockets of a member, in ms.
 */
const JOB_LOOK_INTERVAL = 2000

const sqlitePath = ({ DATA_DIR }: Config) => join(DATA_DIR, 'engawa.db')

/**
 * Opens PostgreSQL if DATABASE_URL is set, otherwise the SQLite file in DATA_DIR. `withoutTimeouts` removes
 * the time limits of PostgreSQL.
 */
export async function openDatabase(
  config: Config,
  { withoutTimeouts = false } = {},
): Promise<OpenedDatabase> {
  if (config.DATABASE_URL) return openPostgres(config.DATABASE_URL, { withoutTimeouts })
  requireNotMoved(config.DATA_DIR)
  return openSqlite(sqlitePath(config))
}

/**
 * Opens the database and runs the migrations that are due. If one is due and the database holds data, first
 * copies the database to a SQLite file in DATA_DIR/snapshots.
 */
async function openAndMigrate(config: Config, log: Logger) {
  const { DATA_DIR, DATABASE_URL } = config
  const database = await openDatabase(config, { withoutTimeouts: true })
  await requireKnownSchema(database.db, allMigrations)
  const done = await runMigrations(database.db, allMigrations, async (first) => {
    const folder = join(DATA_DIR, 'snapshots')
    mkdirSync(folder, { recursive: true })
    const copy = join(folder, `${new Date().toISOString().replaceAll(':', '-')} before ${first}.db`)
    const source = DATABASE_URL ? { db: database.db } : { file: sqlitePath(config) }
    await databaseCopy.toSqliteFile(source, allMigrations, copy)
    log.info(`Before migrating, a snapshot was made and checked: ${copy}`)
  })
  if (done.length) log.info(`The database was migrated in ${done.length} steps.`)
  for (const name of done) log.debug(`Migrated: ${name}`)
  if (!DATABASE_URL) return database
  // Opens the database again: the connections for migrations have no time limits, and those of a server need
  // them.
  await database.close()
  return openDatabase(config)
}

/**
 * Makes a backup in a child process, because it reads all data, which would slow down requests in this
 * process.
 */
const runBackupInChild =
  (config: Config): RunElsewhere =>
  (id, signal) =>
    new Promise((resolve) => {
      const command = join(import.meta.dirname, `bin/command${extname(import.meta.filename)}`)
      const child = spawn(process.execPath, [command, 'backup', '--begun', String(id)], {
        env: childEnvironment(config),
        stdio: ['ignore', 'ignore', 'pipe'],
        signal,
      })
      let errors = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
      child.once('spawn', () => {
        try {
          setPriority(child.pid!, 10)
        } catch {
          // Ignores the error of setting the priority: the system may refuse it, or the child process may
          // have ended.
        }
      })
      child.on('error', (error) => (errors ||= error.message))
      child.once('close', (code) => resolve(code === 0 ? null : errors.split('\n')[0]!))
    })

type App = Awaited<ReturnType<typeof buildApp>>
interface StartOptions extends Pick<AppOptions, 'serverFactory' | 'features'> {
  frontend: Frontend
  /** A function that runs after the app is built and before the server listens. */
  beforeListen?: (built: App) => Promise<void>
}

/**
 * Reads the settings, locks DATA_DIR, opens and migrates the database, builds the app and listens. Then
 * starts the schedule of backups. Resolves once the server accepts requests.
 */
export async function startApp({ beforeListen, ...options }: StartOptions) {
  // Lets only the user of this process read the files that it creates in the data folder.
  process.umask(0o077)
  const settings = readConfig(undefined, requireWholeRestore)
  const log = pino({ level: settings.LOG_LEVEL })
  for (const warning of listWarnings()) log.warn(warning)
  // Tries the folder now: its first backup may be weeks away.
  if (hasBackupFolder() || settings.BACKUP_AT !== null) requireWritable(settings.BACKUP_DIR)
  const release = lockDataFolder(settings.DATA_DIR, { isShared: settings.REDIS_URL !== undefined })
  const database = await openAndMigrate(settings, log)
  const config = await storedSecrets.share(settings, database.db)
  // Remembers first: of two processes that start together with different secrets, one has to fail.
  await storedSecrets.remember(config, database.db)
  await storedSecrets.requireSame(config, database.db)
  const storage = await openStorage(config)
  await marker.markOrRefuse(database.db, storage).finally(() => storage.close())
  const built = await buildApp({
    config,
    database,
    logger: log,
    jobLookInterval: JOB_LOOK_INTERVAL,
    ...options,
  })
  const { app, context } = built
  await beforeListen?.(built)
  if (!config.RATE_LIMIT) log.warn('RATE_LIMIT is off: for load tests only')

  const { HOST: host, PORT: port } = config
  await app.listen({ host, port, backlog: BACKLOG }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new OperatorError(`PORT takes a free port: ${port} is in use.`)
    throw new OperatorError(`HOST and PORT take an address of this machine (${error.code}).`)
  })
  const { port: taken } = app.server.address() as AddressInfo
  context.publicSite.origin = config.PUBLIC_URL ?? `http://localhost:${taken}`

  const backupSchedule = startSchedule(database.db, config, log, runBackupInChild(config))
  const stop = async () => {
    // Kills the process after ten seconds, because process.exit may wait for a slow reader of the log.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 10_000).unref()
    await Promise.all([app.close(), backupSchedule.close()])
    await database.close()
    release()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())

  const hint = await setupHint(context.db, config, context.publicSite.origin)
  console.log(`Engawa is ready at ${context.publicSite.origin}`)
  if (hint) console.log(hint)
  return built
}

/**
 * Prints what the operator or a member did wrong in one line, and other errors with their stack. Then exits.
 */
export function exitWithError(error: unknown): never {
  const isSentence = error instanceof OperatorError || error instanceof HttpError
  console.error(isSentence ? error.message : (operatorError(error, findDatabaseUrl()) ?? error))
  process.exit(1)
}

/** Loads the front end that `npm run build` has made. */
export const loadBuiltFrontend = () => loadFrontend(join(import.meta.dirname, 'dist'))

if (import.meta.main) {
  console.error('Engawa is started by npm start, or by bin/engawa.')
  process.exitCode = 1
}
