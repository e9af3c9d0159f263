import { setTimeout as sleep } from 'node:timers/promises'
import type { Community } from './community.ts'
import { mayHold, memoryOf, processorTime, serve, start } from './processes.ts'
import { median, type Report } from './report.ts'

const MB = 2 ** 20
/** Seconds until a process has come to rest. */
const SETTLE = 4
const TIMES = 3
const QUIET = 20

/**
 * Measures the memory of an idle server, the memory of each socket, and the difference that a larger
 * community makes.
 */
export async function memory(report: Report, community: Community, larger: Community) {
  const idle = await idleMemory(community)
  report.add({ what: 'idle', ours: idle / MB, unit: 'MB', aim: { most: 90 } })
  const more = (larger.size.members - community.size.members) / 1000
  report.add({
    what: 'each 1,000 members more',
    ours: ((await idleMemory(larger)) - idle) / MB / more,
    unit: 'MB',
  })
  for (const sockets of [1000, 10_000].filter(mayHold)) await ofSockets(report, community, sockets)
}

/** Bytes, of a process that has just started; the median of some. */
export async function idleMemory({ folder }: Community) {
  const found: number[] = []
  for (let n = 0; n < TIMES; n++) {
    const server = await serve(folder)
    await sleep(SETTLE * 1000)
    found.push(memoryOf(server.pid))
    await server.stop()
  }
  return median(found)
}

async function ofSockets(report: Report, { folder }: Community, sockets: number) {
  const server = await serve(folder)
  await sleep(SETTLE * 1000)
  const before = memoryOf(server.pid)
  const listeners = await start('listeners.ts')
  await listeners.ask({
    do: 'open',
    protocol: 'publicChat',
    port: server.port,
    sockets,
    message: Buffer.alloc(0),
    payload: 'x'.repeat(100),
  })
  await sleep(SETTLE * 1000)
  const what = `of ${sockets.toLocaleString('en')} idle sockets`
  report.add({ what: `${what}, each`, ours: (memoryOf(server.pid) - before) / 1024 / sockets, unit: 'kB' })
  const [processor, clock] = [processorTime(server.pid), performance.now()]
  await sleep(QUIET * 1000)
  const percent = ((processorTime(server.pid) - processor) / (performance.now() - clock)) * 100
  report.add({
    what: `${what}, of a core`,
    ours: percent,
    unit: '%',
    ...(sockets === 1000 && { aim: { most: 1 } }),
  })
  await listeners.stop()
  await server.stop()
}
