import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  findCaddyPath,
  findChromium,
  findFirefox,
  findFullChromium,
  findNginxPath,
  findProgram,
  findRedis,
  pathFolders,
} from './programs.ts'

/**
 * Returns, for each Debian package with a program that the tests start (browsers, PostgreSQL, Redis,
 * proxies), whether this machine has the program. bin/setup.js calls this.
 * @public
 */
export const detectPackages = (): Record<string, boolean> => ({
  'chromium-headless-shell': findChromium() !== null,
  chromium: findFullChromium() !== null,
  postgresql: hasPostgres(),
  'redis-server': findRedis() !== null,
  'firefox-esr': findFirefox() !== null,
  'webkit2gtk-driver': findProgram('WebKitWebDriver') !== null,
  xvfb: findProgram('Xvfb') !== null,
  nginx: findNginxPath() !== null,
  caddy: findCaddyPath() !== null,
})

export const hasPostgres = () => process.env.TEST_DATABASE_URL !== undefined || postgresPrograms() !== null

/**
 * Returns the URL of a PostgreSQL server for one test run, and a function that stops it: the server of
 * TEST_DATABASE_URL, or a temporary one. Returns null if the machine has no PostgreSQL.
 */
export async function findOrStartPostgres(): Promise<{ url: string; stop(): Promise<void> } | null> {
  const given = process.env.TEST_DATABASE_URL
  // Statistics that change at any moment would change the plans of queries.
  if (given === undefined) return startPostgres({ more: ['autovacuum=off'] })
  await queryPostgres(given, 'select 1')
  return { url: given, stop: async () => {} }
}

interface TemporaryPostgresOptions {
  /**
   * Whether PostgreSQL waits for the disk at each commit, as it does by default. Most tests do not need that.
   */
  isDurable?: boolean
  /** The folder in which the PostgreSQL server's data folder is created. */
  parent?: string
  /** The setting `shared_buffers`: the memory for pages of tables and indexes. */
  sharedBuffers?: string
  /** More settings of the server. */
  more?: readonly string[]
}

/**
 * Starts a temporary PostgreSQL server. Returns its URL, and functions that stop it and start it again; null
 * if the machine has no PostgreSQL.
 */
export async function startPostgres({
  isDurable = false,
  parent = tmpdir(),
  sharedBuffers = '64MB',
  more = [],
}: TemporaryPostgresOptions = {}) {
  const programs = postgresPrograms()
  if (!programs) return null
  const folder = mkdtempSync(join(parent, 'engawa-postgres-'))
  try {
    // Runs PostgreSQL as another user, because it refuses to run as root.
    const user = process.getuid?.() === 0 ? unprivilegedUser() : {}
    if ('uid' in user) chownSync(folder, user.uid, user.gid)
    initialise(programs, folder, user)
    return await serve({ programs, folder, user, isDurable, sharedBuffers, more })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/**
 * Creates a database on the PostgreSQL server of `url`, and returns its URL. `template` is the name or the
 * URL of a database to copy; no client may be connected to that database. Its name begins that of the copy.
 */
export async function createDatabase(url: string, { template }: { template?: string } = {}): Promise<string> {
  const copied = template?.includes('/') ? databaseOf(template) : template
  const name = `${copied ?? 'test'}_${randomBytes(8).toString('hex')}`
  await maintain(url, `create database ${quote(name)}${copied ? ` template ${quote(copied)}` : ''}`)
  return withDatabase(url, name)
}

/** Drops the PostgreSQL database of `url`, even if clients are connected to it. */
export async function dropDatabase(url: string): Promise<void> {
  await maintain(url, `drop database if exists ${quote(databaseOf(url))} with (force)`)
}

/** Drops a template and the copies of it that tests have left. */
export async function dropTemplate(url: string): Promise<void> {
  const { rows } = await maintain(
    url,
    `select datname as name from pg_database where starts_with(datname, '${databaseOf(url)}')`,
  )
  for (const { name } of rows) await dropDatabase(withDatabase(url, name))
}

type User = { uid: number; gid: number } | Record<string, never>

function initialise(programs: string, folder: string, user: User) {
  const failures: string[] = []
  for (const locale of ['C.UTF-8', 'C']) {
    const args = [
      '-D',
      join(folder, 'data'),
      '-A',
      'trust',
      '-U',
      'engawa',
      '--no-sync',
      '-E',
      'UTF8',
      `--locale=${locale}`,
    ]
    const { status, stderr, error } = spawnSync(join(programs, 'initdb'), args, {
      cwd: folder,
      encoding: 'utf8',
      ...user,
    })
    if (status === 0) return
    failures.push(error?.message ?? stderr)
  }
  throw new Error(`initdb failed: ${failures.join('\n')}`)
}

interface ServedPostgres {
  programs: string
  folder: string
  user: User
  isDurable: boolean
  sharedBuffers: string
  more: readonly string[]
}

async function serve(served: ServedPostgres, attempts = 3) {
  const port = await findFreePort()
  const { folder } = served
  let server = await startOn(port, served, attempts > 1)
  if (!server) return serve(served, attempts - 1)
  return {
    url: server.url,
    /** Stops the PostgreSQL server; its data stays. The signal SIGQUIT simulates a crash. */
    end: (signal: NodeJS.Signals) => server!.end(signal),
    async begin() {
      server = await startOn(port, served, false)
    },
    async stop() {
      await server!.end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Starts PostgreSQL on a port. Returns its URL, and a function that stops it. If `again` is true, returns
 * null when the server exits at once, because another program may have taken the port.
 */
async function startOn(
  port: number,
  { programs, folder, user, isDurable, sharedBuffers, more }: ServedPostgres,
  again: boolean,
) {
  const log = join(folder, 'server.log')
  const url = `postgres://engawa@127.0.0.1:${port}/postgres`
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    `shared_buffers=${sharedBuffers}`,
    ...more,
  ]
  const careless = isDurable ? [] : ['fsync=off', 'full_page_writes=off']
  const args = [
    '-D',
    join(folder, 'data'),
    '-p',
    String(port),
    ...[...settings, ...careless].flatMap((setting) => ['-c', setting]),
  ]
  const out = openSync(log, 'a')
  const server = spawn(join(programs, 'postgres'), args, {
    cwd: folder,
    stdio: ['ignore', out, out],
    ...user,
  })
  const guard = startGuard(server.pid, folder)
  const end = async (signal: NodeJS.Signals) => {
    guard.stdin.end('stopped\n')
    if (!running(server)) return
    const gone = once(server, 'exit')
    server.kill(signal)
    await gone
  }
  for (const deadline = Date.now() + 30_000; running(server) && Date.now() < deadline; await sleep(50)) {
    const up = await queryPostgres(url, 'select 1').catch(() => null)
    if (up && running(server)) return { url, end }
  }
  const ended = !running(server)
  await end('SIGINT')
  if (ended && again) return null
  const said = readFileSync(log, 'utf8')
  throw new Error(`PostgreSQL did not start:\n${said}`)
}

/**
 * Starts a shell process that stops the server `pid` and removes `folder` if the process of the test ends
 * without stopping the server. The shell notices this end, because its standard input closes without a line.
 */
export function startGuard(pid: number | undefined, folder: string) {
  const script = `read -r word && exit; kill -INT ${pid}; for i in $(seq 100); do kill -0 ${pid} || break; sleep 0.1; done; rm -rf "$0"`
  return spawn('sh', ['-c', script, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
}

const running = (server: ChildProcess) => server.exitCode === null && server.signalCode === null

function postgresPrograms() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...pathFolders(), ...versions.map((version) => join(debian, version, 'bin'))]
  return (
    folders.find((folder) => ['initdb', 'postgres'].every((program) => existsSync(join(folder, program)))) ??
    null
  )
}

function unprivilegedUser(): User {
  for (const name of ['postgres', 'nobody']) {
    const number = (flag: string) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
    try {
      return { uid: number('-u'), gid: number('-g') }
    } catch {}
  }
  throw new Error('PostgreSQL cannot run as root, and there is no user "postgres" or "nobody".')
}

export async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Runs one SQL query on a new connection to PostgreSQL, and returns its result. */
export async function queryPostgres(url: string, query: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(query)
  } finally {
    await client.end()
  }
}

const maintain = (url: string, query: string) => queryPostgres(withDatabase(url, 'postgres'), query)
const quote = (name: string) => pg.escapeIdentifier(name)
const databaseOf = (url: string) => decodeURIComponent(new URL(url).pathname.slice(1))

function withDatabase(url: string, name: string) {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}
