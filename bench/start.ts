import { spawn } from 'node:child_process'
import type { BenchCommunity } from './community.ts'
import {
  createBenchServerEnvironmentVariables,
  ENGAWA_PROGRAM_PATH,
  killChildProcessOnExit,
  repositoryRoot,
  stopChildProcess,
} from './processes.ts'
import { type BenchReportPrinter, measureMediansInTurns } from './report.ts'

const TIMES = 7
const bare = `require('node:http').createServer((_, answer) => answer.end()).listen(0, '127.0.0.1', () => console.log('ready'))`

/**
 * Measures the time from the start of the server process until it prints that it is ready. The database is
 * already migrated. Compares this time with that of a minimal server on the same Node.
 */
export async function measureAndReportServerStartTime(
  report: BenchReportPrinter,
  { folder }: BenchCommunity,
) {
  const [ours, theirs] = await measureMediansInTurns(
    TIMES,
    [createServerStartTimeMeasurer(folder), () => timed(process.execPath, ['-e', bare], /^ready$/m)],
    (one) => one(),
  )
  report.add({ what: 'start, to the ready line', ours: ours!.ms, unit: 'ms', aim: { most: 300 } })
  report.add({
    what: 'start, to the ready line',
    ours: ours!.ms,
    theirs: theirs!.ms,
    comparedWith: 'bare Node listening',
    unit: 'ms',
  })
}

export const createServerStartTimeMeasurer = (folder: string) => () =>
  timed(ENGAWA_PROGRAM_PATH, [], /^Engawa is ready at /m, createBenchServerEnvironmentVariables(folder, 0))

async function timed(command: string, args: string[], ready: RegExp, env: NodeJS.ProcessEnv = process.env) {
  const begun = performance.now()
  const child = killChildProcessOnExit(
    spawn(command, args, { cwd: repositoryRoot, env, stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  const ms = await new Promise<number>((resolve, reject) => {
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (ready.test(said)) resolve(performance.now() - begun)
    })
    child.once('exit', (code) => reject(new Error(`It ended with ${code} before it was ready:\n${said}`)))
  })
  await stopChildProcess(child)
  return { ms }
}
