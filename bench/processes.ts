import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#tests/services.ts'

export const root = join(import.meta.dirname, '..')
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

/** Holds a child, so that it ends with this process. */
export function keep<C extends ChildProcess>(child: C): C {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** The program that `npm start` runs, and its environment there. */
export const program = join(root, 'bin/engawa')
export const startEnv = (folder: string, port: number) => {
  const { PATH = '', HOME = '' } = process.env
  return { npm_lifecycle_event: 'start', PATH, HOME, DATA_DIR: folder, PORT: String(port), RATE_LIMIT: 'off' }
}

export type Server = Awaited<ReturnType<typeof serve>>

/**
 * Starts the real server on a folder, with its default settings except RATE_LIMIT. Its log is not read, since
 * reading would take time from the client.
 */
export async function serve(folder: string, env: Record<string, string> = {}) {
  const port = await freePort()
  const child = keep(
    spawn(program, { cwd: root, env: { ...startEnv(folder, port), ...env }, stdio: 'ignore' }),
  )
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (child.exitCode !== null)
      throw new Error(`The server ended with ${child.exitCode} before it was ready: is ${folder} in use?`)
    await sleep(20)
  }
  const isOver = (code: number | null) => {
    throw new Error(`The server ended with ${code}`)
  }
  child.once('exit', isOver)
  return {
    url,
    port,
    pid: child.pid!,
    stop() {
      child.off('exit', isOver)
      return end(child)
    },
  }
}

export type Child = Awaited<ReturnType<typeof start>>

/**
 * Starts a program of this folder in a process of its own. It answers one message at a time. Resolves when
 * it has sent its first message.
 */
export async function start(program: string, ...args: string[]) {
  const child = keep(fork(join(import.meta.dirname, program), args, { serialization: 'advanced' }))
  const isOver = (code: number | null) => {
    throw new Error(`${program} ended with ${code}`)
  }
  child.once('exit', isOver)
  const heard = async () => (await once(child, 'message'))[0] as unknown
  return {
    pid: child.pid!,
    first: await heard(),
    ask<T>(message: object): Promise<T> {
      const answer = heard()
      child.send(message)
      return answer as Promise<T>
    },
    stop() {
      child.off('exit', isOver)
      return end(child, 'SIGKILL')
    },
  }
}

/** Whether a process may hold so many sockets here, and the files that it needs besides. */
export function mayHold(sockets: number) {
  // Node raises its own limit to the hard one.
  const { userLimits } = process.report.getReport() as unknown as {
    userLimits?: { open_files: { hard: number | 'unlimited' } }
  }
  const most = userLimits?.open_files.hard ?? 'unlimited'
  return most === 'unlimited' || sockets + 500 < most
}

const TICK = 10
/**
 * The milliseconds of processor time that all threads of a process have used. NaN where the system has no
 * /proc.
 */
export function processorTime(pid: number) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK
  } catch {
    return Number.NaN
  }
}

/** Bytes that a process has in memory; NaN where the system has no /proc. */
export function memoryOf(pid: number) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
  } catch {
    return Number.NaN
  }
}
