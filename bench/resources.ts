import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Community } from './community.ts'
import { type Copy, sqliteStore } from './copies.ts'
import {
  adopt,
  allowsSockets,
  cpuTime,
  engawa,
  residentMemory,
  root,
  serverEnvironment,
  startWorker,
  stop,
} from './processes.ts'
import { inTurns, median, type Report } from './report.ts'

const MB = 2 ** 20
/** How long the memory of a process takes to be stable, in s. */
const SETTLE = 4
const IDLE = 20
const bareServer = `require('node:http').createServer((_, answer) => answer.end()).listen(0, '127.0.0.1', () => console.log('ready'))`

/** Measures the time until the server prints that it is ready. Its database has all migrations already. */
export async function measureStart(report: Report, community: Community) {
  const copy = await sqliteStore.copy(community)
  const bare = () => timed(process.execPath, ['-e', bareServer], /^ready$/m)
  const [ours, theirs] = await inTurns(7, [() => start(copy), bare], (one) => one())
  const what = 'start, to the ready line'
  report.add({ what, ours: ours!.ms, unit: 'ms', aim: { most: 300 } })
  report.add({ what, ours: ours!.ms, theirs: theirs!.ms, beside: 'bare Node listening', unit: 'ms' })
}

export const start = ({ folder }: Copy) =>
  timed(engawa, [], /^Engawa is ready at /m, serverEnvironment(folder, 0))

async function timed(program: string, args: string[], ready: RegExp, env: NodeJS.ProcessEnv = process.env) {
  const begun = performance.now()
  const child = adopt(spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] }))
  const ms = await new Promise<number>((resolve, reject) => {
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (ready.test(said)) resolve(performance.now() - begun)
    })
    child.once('exit', (code) => reject(new Error(`It ended with ${code} before it was ready:\n${said}`)))
  })
  await stop(child)
  return { ms }
}

/** Measures the memory of an idle server, of a thousand more members, and of sockets. */
export async function measureMemory(report: Report, community: Community, larger: Community) {
  const copy = await sqliteStore.copy(community)
  const idle = await idleMemory(copy)
  report.add({ what: 'idle', ours: idle / MB, unit: 'MB', aim: { most: 90 } })
  const thousands = (larger.size.members - community.size.members) / 1000
  const more = ((await idleMemory(await sqliteStore.copy(larger))) - idle) / MB / thousands
  report.add({ what: 'each 1,000 members more', ours: more, unit: 'MB' })
  for (const sockets of [1000, 10_000].filter(allowsSockets)) await ofSockets(report, copy, sockets)
}

/** In bytes, the median of three servers. */
export async function idleMemory(copy: Copy) {
  const found: number[] = []
  for (let n = 0; n < 3; n++) {
    const server = await copy.startServer()
    await sleep(SETTLE * 1000)
    found.push(residentMemory(server.pid))
    await server.stop()
  }
  return median(found)
}

async function ofSockets(report: Report, copy: Copy, sockets: number) {
  const server = await copy.startServer()
  await sleep(SETTLE * 1000)
  const before = residentMemory(server.pid)
  const listeners = await startWorker('sockets.ts')
  await listeners.ask({
    do: 'open',
    protocol: 'pusher',
    port: server.port,
    sockets,
    payload: 'x'.repeat(100),
  })
  await sleep(SETTLE * 1000)
  const what = `of ${sockets.toLocaleString('en')} idle sockets`
  const each = (residentMemory(server.pid) - before) / 1024 / sockets
  report.add({ what: `${what}, each`, ours: each, unit: 'kB' })
  const [processor, clock] = [cpuTime(server.pid), performance.now()]
  await sleep(IDLE * 1000)
  const percent = ((cpuTime(server.pid) - processor) / (performance.now() - clock)) * 100
  report.add({
    ...{ what: `${what}, of a core`, ours: percent, unit: '%' },
    ...(sockets === 1000 && { aim: { most: 1 } }),
  })
  await listeners.stop()
  await server.stop()
}
