import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type ServerEnvironment = Readonly<Record<string, string>>

const root = join(import.meta.dirname, '..')
const compileCache = join(root, 'node_modules', '.cache', 'compiled')
const children = new Set<ChildProcess>()
const folders = new Set<string>()

/** Stops all server processes that the tests left running, and removes the temporary folders of the tests. */
export async function stopServers() {
  await Promise.all([...children].map((child) => end(child, 'SIGKILL')))
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
  folders.clear()
}
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Creates a temporary folder, which `stopServers` removes, and returns its path. */
export async function serverFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'engawa-server-'))
  folders.add(folder)
  return folder
}

let isBundled: boolean | undefined
/**
 * Returns whether lib/ is built from the sources as they are now; `npm test` builds it first. From there, a
 * server and a command start in half the processor time.
 */
async function isBundleCurrent() {
  const mark = join(root, 'lib/.built')
  const { fingerprint } = (await import(join(root, 'bin/fingerprint.js'))) as { fingerprint(): string }
  isBundled ??= existsSync(mark) && readFileSync(mark, 'utf8') === fingerprint()
  return isBundled
}

/** Returns environment variables with which bin/engawa runs the bundle in lib/ if that is up to date. */
export const bundleEnvironment = async (): Promise<ServerEnvironment> =>
  (await isBundleCurrent()) ? { npm_lifecycle_event: 'start' } : {}

/**
 * Creates a data folder. In Vitest, it has a database with all tables and no members, so that the server does
 * not need to run all migrations.
 */
async function createDataFolder() {
  const folder = await serverFolder()
  const template = process.env.TEST_SQLITE_TEMPLATE
  if (template) copyFileSync(template, join(folder, 'engawa.db'))
  return folder
}

type ServerProgram = 'bin/serve.ts' | 'bin/demo.ts' | 'tests/serve-without.ts' | 'tests/serve-next-version.ts'

export type RunningServer = Awaited<ReturnType<typeof startServer>>

/**
 * Starts the server or the demo as an operator does, or another program of the tests that serves Engawa. It
 * runs as a process of its own on a port of its own. Resolves when the program prints that it is ready.
 */
export async function startServer(env: ServerEnvironment = {}, program: ServerProgram = 'bin/serve.ts') {
  const folder = env.DATA_DIR ?? (await (env.DATABASE_URL ? serverFolder() : createDataFolder()))
  const { child, output } = await launch({ PORT: '0', DATA_DIR: folder, ...env }, program)
  const address = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const ready = /^Engawa is ready at (http\S+)$/m.exec(output.out)
      if (ready) resolve(ready[1]!)
    }
    child.stdout!.on('data', look)
    child.once('close', (code) =>
      reject(new Error(`The server ended with ${code} before it was ready:\n${output.out}${output.err}`)),
    )
  })
  return {
    /**
     * The URL on which the server listens. A test that sets PUBLIC_URL has to set PORT too, because the
     * server then prints PUBLIC_URL instead of the URL with its port.
     */
    url: env.PORT && env.PORT !== '0' ? `http://127.0.0.1:${env.PORT}` : address,
    folder,
    pid: child.pid!,
    /** Returns everything that the server process has printed so far. */
    logs: () => output.out + output.err,
    signal: (name: NodeJS.Signals) => void child.kill(name),
    /** Stops the server process. Resolves to its exit code; null if the signal killed it. */
    stop: (signal: NodeJS.Signals = 'SIGTERM') => end(child, signal),
  }
}

/**
 * Starts a server whose start must fail. Returns the output and the exit code of the server. Throws if it
 * becomes ready.
 */
export async function failedStart(env: ServerEnvironment = {}) {
  const { child, output } = await launch({
    PORT: '0',
    DATA_DIR: env.DATA_DIR ?? (await serverFolder()),
    ...env,
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    child.stdout!.on('data', () => {
      if (!/^Engawa is ready at /m.test(output.out)) return
      reject(new Error(`The server started:\n${output.out}`))
      child.kill('SIGKILL')
    })
  })
  return { code, output: output.out + output.err }
}

/**
 * Returns environment variables for `startServer` that set the clock of the server ahead by `ms`
 * milliseconds.
 */
export function clockAhead(ms: number): ServerEnvironment {
  const script = `const Real = Date
globalThis.Date = class Date extends Real {
  constructor(...given) { given.length ? super(...given) : super(Real.now() + ${ms}) }
  static now() { return Real.now() + ${ms} }
}`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
}

/**
 * Environment variables for `startServer` that make the server compute cheap password hashes, as
 * the unit tests do.
 */
export const cheapHashes: ServerEnvironment = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'cheap-password-hashes.ts'))}`,
}

async function launch(env: ServerEnvironment, program = 'bin/serve.ts') {
  if (!existsSync(join(root, 'dist', 'index.html')))
    spawnSync(process.execPath, ['bin/setup.js', 'build'], { cwd: root, stdio: 'inherit' })
  const { PATH = '', HOME = '' } = process.env
  const path = program === 'bin/serve.ts' && (await isBundleCurrent()) ? 'lib/bin/serve.js' : program
  const child = spawn(process.execPath, [path], {
    cwd: root,
    // Uses Node's compile cache, which saves a third of the processor time of a start.
    env: {
      ...{ PATH, HOME, LOG_LEVEL: 'info', MIN_FREE_MB: '0', NEW_POSTS_UP_TO: '0' },
      ...{ NODE_COMPILE_CACHE: compileCache, ...env },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.err += text))
  children.add(child)
  child.once('close', () => children.delete(child))
  return { child, output }
}

/**
 * Sends a signal to a child process, and SIGKILL after fifteen seconds. Resolves to the exit code of the
 * process.
 */
async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const gone = new Promise<number | null>((resolve) => child.once('close', resolve))
  const force = setTimeout(() => child.kill('SIGKILL'), 15_000)
  child.kill(signal)
  const code = await gone
  clearTimeout(force)
  return code
}
