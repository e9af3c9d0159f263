import { createHash, createHmac } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchCookiesAndXsrfToken } from './client.ts'
import type { BenchCommunity } from './community.ts'
import { deriveBenchSessionToken } from './community-rows.ts'
import {
  type BenchWorker,
  doesOpenFileLimitAllowSockets,
  readCpuTimeOfProcess,
  readResidentMemoryOfProcess,
  startBenchServer,
  startBenchWorker,
} from './processes.ts'
import type { BenchReportPrinter } from './report.ts'
import type { ReconnectStormClientOptions, ReconnectStormResult } from './storm-worker.ts'
import { copyBenchCommunity } from './writes.ts'

const SOCKETS = [1000, 10_000]
/** The maximum number of clients of one worker process, because of the system's limit of open files. */
const CLIENTS_OF_WORKER = 10_000
/** The maximum number of seconds for all clients to be subscribed; a client that is not counts as missing. */
const PATIENCE = 120
const AIM = { seconds: 10, errorPercent: 1, growth: 1.3 }
const SECRET = 'the secret of the storm bench alone, long enough'

/**
 * Lets many members with one window each connect at once, restarts the server, and measures how long it takes
 * until all of them are subscribed to their channels again.
 */
export async function measureAndReportReconnectStorm(report: BenchReportPrinter, community: BenchCommunity) {
  const folder = copyBenchCommunity(community)
  const members = insertSessionsOfFirstBenchMembers(folder, Math.max(...SOCKETS))
  const micros: number[] = []
  for (const wanted of SOCKETS) {
    const sockets = Math.min(wanted, members)
    if (!doesOpenFileLimitAllowSockets(sockets)) {
      report.note(`${sockets} sockets are left out: \`ulimit -Hn\` is too low`)
      continue
    }
    micros.push(await measureStorm(report, folder, sockets))
  }
  const [small, large] = micros
  if (small !== undefined && large !== undefined)
    report.add({
      what: 'processor for each socket',
      ours: large,
      theirs: small,
      comparedWith: `${SOCKETS[0]} sockets`,
      unit: 'µs',
      aim: { most: AIM.growth },
    })
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Inserts a session for each of the `count` members with the smallest ids. Returns the number of these
 * members.
 */
export function insertSessionsOfFirstBenchMembers(folder: string, count: number) {
  const db = new DatabaseSync(join(folder, 'engawa.db'))
  const insert = db.prepare(
    'insert or ignore into sessions (token_hash, user_id, created_at, refreshed_at) values (?, ?, ?, ?)',
  )
  const ids = db.prepare('select id from users order by id limit ?').all(count) as { id: number }[]
  const at = new Date().toISOString()
  db.exec('begin')
  for (const { id } of ids)
    insert.run(createHash('sha256').update(deriveBenchSessionToken(id)).digest('hex'), id, at, at)
  db.exec('commit')
  db.close()
  return ids.length
}

/** Returns the cookies of a member, as a server with this SECRET sets them. */
function createCookies(member: number): BenchCookiesAndXsrfToken {
  const session = deriveBenchSessionToken(member)
  const token = createHmac('sha256', SECRET).update(`xsrf ${session}`).digest('base64url')
  return { cookie: `engawa_session=${session}; XSRF-TOKEN=${token}`, token }
}

/** The environment variables of a server to which the clients of `startReconnectStormWorkers` connect. */
export const reconnectStormServerEnvironmentVariables = { SECRET, RATE_LIMIT: 'on' }

/**
 * Starts worker processes with clients, one client for each socket. The clients belong in turn to the first
 * `members` members, who have sessions, and to one of `processes` server processes. Returns the worker
 * processes; their clients are not connected yet.
 */
export async function startReconnectStormWorkers(
  sockets: number,
  members: number,
  processes: number,
): Promise<BenchWorker[]> {
  const workers: BenchWorker[] = []
  for (let first = 0; first < sockets; first += CLIENTS_OF_WORKER) {
    const worker = await startBenchWorker('storm-worker.ts')
    const clients = Array.from({ length: Math.min(CLIENTS_OF_WORKER, sockets - first) }, (_, n) => {
      const number = first + n
      const member = (number % members) + 1
      return { number, member, who: createCookies(member), process: number % processes }
    }) satisfies ReconnectStormClientOptions[]
    await worker.ask({ do: 'create', clients })
    workers.push(worker)
  }
  return workers
}

/** The costs for a server of all clients that connect at once. */
interface StormCosts {
  storm: ReconnectStormResult
  /** The processor time of the server for each client, in µs. */
  micros: number
}

async function measureStorm(report: BenchReportPrinter, folder: string, sockets: number) {
  const env = reconnectStormServerEnvironmentVariables
  const [worker] = await startReconnectStormWorkers(sockets, sockets, 1)
  const connectAll = async ({ port, pid }: { port: number; pid: number }): Promise<StormCosts> => {
    const before = readCpuTimeOfProcess(pid)
    const storm = await worker!.ask<ReconnectStormResult>({
      do: 'connect',
      ports: [port],
      patience: PATIENCE,
    })
    return { storm, micros: ((readCpuTimeOfProcess(pid) - before) * 1000) / sockets }
  }
  const bare = await startBenchWorker('bare-pusher.ts')
  const bareCosts = await connectAll({ port: bare.first as number, pid: bare.pid })
  await bare.stop()
  await worker!.ask({ do: 'waitForCut' })
  const first = await startBenchServer(folder, env)
  await connectAll(first)
  const cut = worker!.ask({ do: 'waitForCut' })
  await first.stop()
  await cut
  const second = await startBenchServer(folder, env)
  const memory = readResidentMemoryOfProcess(second.pid)
  const costs = await connectAll(second)
  await sleep(2000)
  const what = `${sockets.toLocaleString('en')} sockets`
  reportStorm(report, what, sockets, costs, bareCosts)
  const kilobytes = (readResidentMemoryOfProcess(second.pid) - memory) / 1024 / sockets
  report.add({ what: `${what}, memory for each`, ours: kilobytes, unit: 'kB' })
  await worker!.stop()
  await second.stop()
  return costs.micros
}

function reportStorm(
  report: BenchReportPrinter,
  what: string,
  sockets: number,
  { storm, micros }: StormCosts,
  bare: StormCosts,
) {
  const compared = { comparedWith: 'node:http and ws' }
  const seconds = (name: string, ours: number) => report.add({ what: `${what}, ${name}`, ours, unit: 's' })
  seconds('half are subscribed again', storm.half)
  seconds('99 % are subscribed again', storm.most)
  report.add({
    what: `${what}, all are subscribed again`,
    ours: storm.seconds,
    unit: 's',
    aim: { most: AIM.seconds },
  })
  const time = { ours: storm.seconds, theirs: bare.storm.seconds, unit: 's' }
  report.add({ what: `${what}, all are subscribed again`, ...compared, ...time })
  const work = { ours: micros, theirs: bare.micros, unit: 'µs' }
  report.add({ what: `${what}, processor for each`, ...compared, ...work })
  const errors = ((storm.errors + storm.missing) / sockets) * 100
  report.add({ what: `${what}, failed attempts`, ours: errors, unit: '%', aim: { most: AIM.errorPercent } })
  report.add({ what: `${what}, received by each`, ours: storm.bytes / 1024 / sockets, unit: 'kB' })
  if (storm.missing) report.error(`${storm.missing} sockets were not subscribed within ${PATIENCE} s`)
  for (const reason of storm.reasons) report.note(`Failed: ${reason.slice(0, 100)}`)
}
