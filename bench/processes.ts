import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '#tests/services.ts'

export const root = join(import.meta.dirname, '..')
/** The program that `npm start` runs. */
export const engawa = join(root, 'bin/engawa')

const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

/** Makes sure that a child process is killed when this process ends. */
export function adopt<C extends ChildProcess>(child: C): C {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

export function serverEnvironment(folder: string, port: number) {
  const { PATH = '', HOME = '' } = process.env
  return { npm_lifecycle_event: 'start', PATH, HOME, DATA_DIR: folder, PORT: String(port), RATE_LIMIT: 'off' }
}

export type Server = Awaited<ReturnType<typeof startServer>>

/**
 * Starts the real server with its default settings, except for the limits of requests. Nobody reads its log,
 * because reading would take processor time from the client.
 */
export async function startServer(folder: string, env: Record<string, string> = {}) {
  const port = await findFreePort()
  const child = adopt(
    spawn(engawa, {
      cwd: root,
      env: { ...serverEnvironment(folder, port), ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
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
      return stop(child)
    },
  }
}

/**
 * Starts a program of bench/ in a process of its own, and waits for its first message. `ask` sends a message
 * and resolves to the answer; only one may wait at a time.
 */
export async function startWorker(program: 'bare.ts' | 'search-server.ts' | 'sockets.ts', ...args: string[]) {
  const child = adopt(fork(join(import.meta.dirname, program), args, { serialization: 'advanced' }))
  const isOver = (code: number | null) => {
    throw new Error(`${program} ended with ${code}`)
  }
  child.once('exit', isOver)
  const message = async () => (await once(child, 'message'))[0] as unknown
  return {
    pid: child.pid!,
    first: await message(),
    ask<T>(question: object): Promise<T> {
      const answer = message()
      child.send(question)
      return answer as Promise<T>
    },
    stop() {
      child.off('exit', isOver)
      return stop(child, 'SIGKILL')
    },
  }
}

/** Whether the system lets a process open this many sockets besides its other files. */
export function allowsSockets(sockets: number) {
  // Node raises its own soft limit to the hard one.
  const { userLimits } = process.report.getReport() as unknown as {
    userLimits?: { open_files: { hard: number | 'unlimited' } }
  }
  const most = userLimits?.open_files.hard ?? 'unlimited'
  return most === 'unlimited' || sockets + 500 < most
}

/** The unit of the times in /proc/PID/stat, in ms. */
const TICK = 10

/** The processor time of all threads of a process so far, in ms; NaN if the system has no /proc. */
export const cpuTime = (pid: number) => sumOfTimes(pid, 11)
/** That of its children that have ended. */
export const endedCpuTime = (pid: number) => sumOfTimes(pid, 13)

/** The time in user mode stands before that in the kernel. */
function sumOfTimes(pid: number, index: number) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[index]) + Number(fields[index + 1])) * TICK
  } catch {
    return Number.NaN
  }
}

/** In bytes; NaN if the system has no /proc. */
export function residentMemory(pid: number) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
  } catch {
    return Number.NaN
  }
}
