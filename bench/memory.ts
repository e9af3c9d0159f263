import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchCommunity } from './community.ts'
import {
  doesOpenFileLimitAllowSockets,
  readCpuTimeOfProcess,
  readResidentMemoryOfProcess,
  startBenchServer,
  startBenchWorker,
} from './processes.ts'
import { type BenchReportPrinter, computeMedian } from './report.ts'

const MB = 2 ** 20
/** The number of seconds to wait until the memory of a process is stable. */
const SETTLE_SECONDS = 4
const TIMES = 3
const IDLE_SECONDS = 20

/**
 * Measures the memory of an idle server process, of each open socket, and of a thousand more members in the
 * community.
 */
export async function measureAndReportServerMemory(
  report: BenchReportPrinter,
  community: BenchCommunity,
  larger: BenchCommunity,
) {
  const idle = await measureIdleServerMemory(community)
  report.add({ what: 'idle', ours: idle / MB, unit: 'MB', aim: { most: 90 } })
  const more = (larger.size.members - community.size.members) / 1000
  report.add({
    what: 'each 1,000 members more',
    ours: ((await measureIdleServerMemory(larger)) - idle) / MB / more,
    unit: 'MB',
  })
  for (const sockets of [1000, 10_000].filter(doesOpenFileLimitAllowSockets))
    await ofSockets(report, community, sockets)
}

/** Starts the server several times, and returns the median of the memory of the idle process, in bytes. */
export async function measureIdleServerMemory({ folder }: BenchCommunity) {
  const found: number[] = []
  for (let n = 0; n < TIMES; n++) {
    const server = await startBenchServer(folder)
    await sleep(SETTLE_SECONDS * 1000)
    found.push(readResidentMemoryOfProcess(server.pid))
    await server.stop()
  }
  return computeMedian(found)
}

async function ofSockets(report: BenchReportPrinter, { folder }: BenchCommunity, sockets: number) {
  const server = await startBenchServer(folder)
  await sleep(SETTLE_SECONDS * 1000)
  const before = readResidentMemoryOfProcess(server.pid)
  const listeners = await startBenchWorker('socket-worker.ts')
  await listeners.ask({
    do: 'open',
    protocol: 'publicChat',
    port: server.port,
    sockets,
    message: Buffer.alloc(0),
    payload: 'x'.repeat(100),
  })
  await sleep(SETTLE_SECONDS * 1000)
  const what = `of ${sockets.toLocaleString('en')} idle sockets`
  report.add({
    what: `${what}, each`,
    ours: (readResidentMemoryOfProcess(server.pid) - before) / 1024 / sockets,
    unit: 'kB',
  })
  const [processor, clock] = [readCpuTimeOfProcess(server.pid), performance.now()]
  await sleep(IDLE_SECONDS * 1000)
  const percent = ((readCpuTimeOfProcess(server.pid) - processor) / (performance.now() - clock)) * 100
  report.add({
    what: `${what}, of a core`,
    ours: percent,
    unit: '%',
    ...(sockets === 1000 && { aim: { most: 1 } }),
  })
  await listeners.stop()
  await server.stop()
}
