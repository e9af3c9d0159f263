import { spawn } from 'node:child_process'
import type { Community } from './community.ts'
import { end, keep, program, root, startEnv } from './processes.ts'
import { byTurns, type Report } from './report.ts'

const TIMES = 7
const bare = `require('node:http').createServer((_, answer) => answer.end()).listen(0, '127.0.0.1', () => console.log('ready'))`

/**
 * Measures the time from the command to the line that says it serves, on a migrated folder, beside a bare
 * server of the same Node.
 */
export async function starts(report: Report, { folder }: Community) {
  const [ours, theirs] = await byTurns(
    TIMES,
    [ourStart(folder), () => timed(process.execPath, ['-e', bare], /^ready$/m)],
    (one) => one(),
  )
  report.add({ what: 'start, to the ready line', ours: ours!.ms, unit: 'ms', aim: { most: 300 } })
  report.add({
    what: 'start, to the ready line',
    ours: ours!.ms,
    theirs: theirs!.ms,
    contestant: 'bare Node listening',
    unit: 'ms',
  })
}

export const ourStart = (folder: string) => () =>
  timed(program, [], /^Engawa is ready at /m, startEnv(folder, 0))

async function timed(command: string, args: string[], ready: RegExp, env: NodeJS.ProcessEnv = process.env) {
  const begun = performance.now()
  const child = keep(spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] }))
  const ms = await new Promise<number>((resolve, reject) => {
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (ready.test(said)) resolve(performance.now() - begun)
    })
    child.once('exit', (code) => reject(new Error(`It ended with ${code} before it was ready:\n${said}`)))
  })
  await end(child)
  return { ms }
}
