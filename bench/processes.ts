import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '#tests/services.ts'

export const repositoryRoot = join(import.meta.dirname, '..')
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

/** Makes sure that a child process is killed when this process ends. Returns the child process. */
export function killChildProcessOnExit<C extends ChildProcess>(child: C): C {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

export async function stopChildProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** The path of the program that `npm start` runs. */
export const ENGAWA_PROGRAM_PATH = join(repositoryRoot, 'bin/engawa')
/**
 * Returns the environment variables with which ENGAWA_PROGRAM_PATH serves the data folder `folder` on `port`.
 */
export const createBenchServerEnvironmentVariables = (folder: string, port: number) => {
  const { PATH = '', HOME = '' } = process.env
  return { npm_lifecycle_event: 'start', PATH, HOME, DATA_DIR: folder, PORT: String(port), RATE_LIMIT: 'off' }
}

export type BenchServer = Awaited<ReturnType<typeof startBenchServer>>

/**
 * Starts the real server with `folder` as DATA_DIR and, except for RATE_LIMIT, its default settings. Discards
 * the log of the server, because reading it would take processor time from the client.
 */
export async function startBenchServer(folder: string, env: Record<string, string> = {}) {
  const port = await findFreePort()
  const child = killChildProcessOnExit(
    spawn(ENGAWA_PROGRAM_PATH, {
      cwd: repositoryRoot,
      env: { ...createBenchServerEnvironmentVariables(folder, port), ...env },
      stdio: 'ignore',
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
      return stopChildProcess(child)
    },
  }
}

export type BenchWorker = Awaited<ReturnType<typeof startBenchWorker>>

/**
 * Starts a program of bench/ in a process of its own. Resolves when the program has sent its first message.
 * `ask` sends a message to the program and resolves to the answer; only one `ask` may wait at a time.
 */
export async function startBenchWorker(program: string, ...args: string[]) {
  const child = killChildProcessOnExit(
    fork(join(import.meta.dirname, program), args, { serialization: 'advanced' }),
  )
  const isOver = (code: number | null) => {
    throw new Error(`${program} ended with ${code}`)
  }
  child.once('exit', isOver)
  const waitForMessage = async () => (await once(child, 'message'))[0] as unknown
  return {
    pid: child.pid!,
    first: await waitForMessage(),
    ask<T>(message: object): Promise<T> {
      const answer = waitForMessage()
      child.send(message)
      return answer as Promise<T>
    },
    stop() {
      child.off('exit', isOver)
      return stopChildProcess(child, 'SIGKILL')
    },
  }
}

/**
 * Returns whether the system's limit of open files allows a process to open this many sockets in addition to
 * its other files.
 */
export function doesOpenFileLimitAllowSockets(sockets: number) {
  // Compares the number with the hard limit, because Node raises its own soft limit to the hard limit.
  const { userLimits } = process.report.getReport() as unknown as {
    userLimits?: { open_files: { hard: number | 'unlimited' } }
  }
  const most = userLimits?.open_files.hard ?? 'unlimited'
  return most === 'unlimited' || sockets + 500 < most
}

/** The unit of the times in /proc/PID/stat, in milliseconds. */
const TICK = 10
/**
 * Returns the processor time that all threads of a process have used so far, in milliseconds; NaN if the
 * system has no /proc.
 */
export const readCpuTimeOfProcess = (pid: number) => sumTimesInStat(pid, 11)

/**
 * Returns the processor time of those children of a process that have ended, in milliseconds; NaN if the
 * system has no /proc.
 */
export const readCpuTimeOfEndedChildProcesses = (pid: number) => sumTimesInStat(pid, 13)

/**
 * Returns the sum of two neighbouring times in /proc/PID/stat, user time and system time, in milliseconds.
 */
function sumTimesInStat(pid: number, index: number) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[index]) + Number(fields[index + 1])) * TICK
  } catch {
    return Number.NaN
  }
}

/** Returns the resident memory of a process in bytes; NaN if the system has no /proc. */
export function readResidentMemoryOfProcess(pid: number) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
  } catch {
    return Number.NaN
  }
}
