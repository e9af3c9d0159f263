import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { setPriority } from 'node:os'
import { extname, join } from 'node:path'
import { pino } from 'pino'
import { type AppOptions, buildApp, migrations } from '#app.ts'
import { copyDatabase } from '#core/backup/database-copy.ts'
import { assertNotMoved, assertNotRestoring } from '#core/backup/markers.ts'
import { type RunBackup, startSchedule } from '#core/backup/schedule.ts'
import { BadSetting, type Config, readConfig, sameEnvironment } from '#core/config.ts'
import { lockDataFolder } from '#core/database/data-folder.ts'
import type { Database } from '#core/database/database.ts'
import { assertNotNewer, migrate } from '#core/database/migrate.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { loadBuiltSite, type Site } from '#core/http/pages.ts'
import { refuseOwnFolder, shareSecrets } from '#core/secrets.ts'
import { setupHint } from '#features/people/setup.ts'

/**
 * Connections that may wait until the server accepts them. With Node's 511, a burst of others makes a
 * browser wait for a second or more until it tries again.
 */
const BACKLOG = 4096

const fileOf = ({ DATA_DIR }: Config) => join(DATA_DIR, 'engawa.db')

export async function openDatabase(config: Config, { patient = false } = {}): Promise<Database> {
  if (config.DATABASE_URL) return openPostgres(config.DATABASE_URL, { patient })
  assertNotMoved(config.DATA_DIR)
  return openSqlite(fileOf(config))
}

/**
 * Opens the database and runs the migrations that are due. First copies a database that holds data to a
 * SQLite file in DATA_DIR/snapshots.
 */
async function openUpToDate(config: Config, log: (line: string) => void) {
  const { DATA_DIR, DATABASE_URL } = config
  const database = await openDatabase(config, { patient: true })
  await assertNotNewer(database.db, migrations)
  const done = await migrate(database.db, migrations, async (first) => {
    const folder = join(DATA_DIR, 'snapshots')
    mkdirSync(folder, { recursive: true })
    const copy = join(folder, `${new Date().toISOString().replaceAll(':', '-')} before ${first}.db`)
    const source = DATABASE_URL ? { db: database.db } : { file: fileOf(config) }
    await copyDatabase(source, migrations, copy)
    log(`Before migrating, a snapshot was made and checked: ${copy}`)
  })
  if (done.length) log(`Migrated: ${done.join(', ')}`)
  if (!DATABASE_URL) return database
  await database.close() // a server waits for the database for a shorter time
  return openDatabase(config)
}

/** Makes a backup in a process of its own: it reads everything, and would slow down requests. */
const inItsOwnProcess =
  (config: Config): RunBackup =>
  (id, signal) =>
    new Promise((resolve) => {
      const command = join(import.meta.dirname, `bin/command${extname(import.meta.filename)}`)
      const child = spawn(process.execPath, [command, 'backup', '--begun', String(id)], {
        env: sameEnvironment(config),
        stdio: ['ignore', 'ignore', 'pipe'],
        signal,
      })
      let errors = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
      child.once('spawn', () => {
        try {
          setPriority(child.pid!, 10)
        } catch {} // this needs a right, and the process may have ended
      })
      child.on('error', (error) => (errors ||= error.message))
      child.once('close', (code) => resolve(code === 0 ? null : errors.split('\n')[0]!))
    })

type Built = Awaited<ReturnType<typeof buildApp>>
interface StartOptions extends Pick<AppOptions, 'serverFactory' | 'features'> {
  site: Site
  /** Runs before it listens. */
  prepare?: (built: Built) => Promise<void>
}

/** Config → database → app → listen. Resolves once it serves. */
export async function start({ prepare, ...options }: StartOptions) {
  process.umask(0o077) // What the data folder gets is for this user alone.
  const settings = readConfig()
  const log = pino({ level: settings.LOG_LEVEL })
  const release = lockDataFolder(settings.DATA_DIR, { together: settings.REDIS_URL !== undefined })
  assertNotRestoring(settings.DATA_DIR)
  const database = await openUpToDate(settings, (line) => log.info(line))
  const config = await shareSecrets(settings, database.db)
  await refuseOwnFolder(config, database.db)
  const built = await buildApp({ config, database, logger: log, ...options })
  const { app, context } = built
  await prepare?.(built)
  if (!config.RATE_LIMIT) log.warn('RATE_LIMIT is off: for load tests only')

  const { HOST: host, PORT: port } = config
  await app.listen({ host, port, backlog: BACKLOG }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new BadSetting(`PORT takes a free port: ${port} is in use.`)
    throw new BadSetting(`HOST and PORT take an address of this machine (${error.code}).`)
  })
  const { port: taken } = app.server.address() as AddressInfo
  context.site.origin = config.PUBLIC_URL ?? `http://localhost:${taken}`

  const nights = startSchedule(database.db, config, log, inItsOwnProcess(config))
  const stop = async () => {
    // process.exit may wait for a slow reader of the log, so a signal ends the process after ten seconds.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 10_000).unref()
    await Promise.all([app.close(), nights.close()])
    await database.close()
    release()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())

  const hint = await setupHint(context.db, config, context.site.origin)
  console.log(`Engawa is ready at ${context.site.origin}`)
  if (hint) console.log(hint)
  return built
}

/** Prints one line where a setting is wrong, and the stack of any other error. */
export function explain(error: unknown): never {
  console.error(error instanceof BadSetting ? error.message : error)
  process.exit(1)
}

/** The pages that `npm run build` made. */
export const site = () => loadBuiltSite(join(import.meta.dirname, 'dist'))

if (import.meta.main) {
  console.error('Engawa is started by npm start, or by bin/engawa.')
  process.exitCode = 1
}
