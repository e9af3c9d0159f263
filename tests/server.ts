import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Env = Readonly<Record<string, string>>

const root = join(import.meta.dirname, '..')
const children = new Set<ChildProcess>()
const folders = new Set<string>()

/** Ends whatever the tests did not stop, and removes their folders. */
export async function endAll() {
  await Promise.all([...children].map((child) => end(child, 'SIGKILL')))
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
}
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** A folder that `endAll` removes. */
export async function freshFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'engawa-server-'))
  folders.add(folder)
  return folder
}

export type Server = Awaited<ReturnType<typeof startServer>>

/**
 * Starts the real server (or the demo) as an operator does: as a process of its own on a port of its own.
 * Resolves once it says that it is ready.
 */
export async function startServer(
  env: Env = {},
  program: 'bin/serve.ts' | 'bin/demo.ts' | 'tests/serve-without.ts' = 'bin/serve.ts',
) {
  const folder = env.DATA_DIR ?? (await freshFolder())
  const { child, said } = launch({ PORT: '0', DATA_DIR: folder, ...env }, program)
  const address = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const ready = /^Engawa is ready at (http\S+)$/m.exec(said.out)
      if (ready) resolve(ready[1]!)
    }
    child.stdout!.on('data', look)
    child.once('close', (code) =>
      reject(new Error(`The server ended with ${code} before it was ready:\n${said.out}${said.err}`)),
    )
  })
  return {
    /** Where it listens, which is not what it says where PUBLIC_URL is set: give PORT then. */
    url: env.PORT && env.PORT !== '0' ? `http://127.0.0.1:${env.PORT}` : address,
    folder,
    pid: child.pid!,
    /** All that it has written so far. */
    logs: () => said.out + said.err,
    signal: (name: NodeJS.Signals) => void child.kill(name),
    /** Its exit code; null when the signal ended it. */
    stop: (signal: NodeJS.Signals = 'SIGTERM') => end(child, signal),
  }
}

/** A start that is to be refused: what it said, and its exit code. Throws when it serves after all. */
export async function refusedStart(env: Env = {}) {
  const { child, said } = launch({ PORT: '0', DATA_DIR: env.DATA_DIR ?? (await freshFolder()), ...env })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    child.stdout!.on('data', () => {
      if (!/^Engawa is ready at /m.test(said.out)) return
      reject(new Error(`The server started:\n${said.out}`))
      child.kill('SIGKILL')
    })
  })
  return { code, output: said.out + said.err }
}

/** For `startServer`: the server's clock goes ahead by so many milliseconds. */
export function ahead(ms: number): Env {
  const script = `const Real = Date
globalThis.Date = class Date extends Real {
  constructor(...given) { given.length ? super(...given) : super(Real.now() + ${ms}) }
  static now() { return Real.now() + ${ms} }
}`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
}

function launch(env: Env, program = 'bin/serve.ts') {
  if (!existsSync(join(root, 'dist', 'index.html')))
    spawnSync(process.execPath, ['bin/setup.js', 'start'], { cwd: root, stdio: 'inherit' })
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: { PATH, HOME, LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  children.add(child)
  child.once('close', () => children.delete(child))
  return { child, said }
}

/** Ends a child of ours, and by force where it does not go within fifteen seconds. */
async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const gone = new Promise<number | null>((resolve) => child.once('close', resolve))
  const force = setTimeout(() => child.kill('SIGKILL'), 15_000)
  child.kill(signal)
  const code = await gone
  clearTimeout(force)
  return code
}
