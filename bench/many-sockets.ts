import { createHash, createHmac, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRedisServerPath } from '#tests/programs.ts'
import { startTemporaryRedis } from '#tests/redis.ts'
import { startTemporaryPostgres } from '#tests/services.ts'
import type { BenchCommunity } from './community.ts'
import { copyBenchCommunityToPostgres } from './postgres.ts'
import {
  type BenchServer,
  type BenchWorker,
  doesOpenFileLimitAllowSockets,
  readCpuTimeOfProcess,
  readResidentMemoryOfProcess,
  startBenchServer,
} from './processes.ts'
import { STORM_BENCH_COUNTED_EVENT } from './protocols.ts'
import { type BenchReportPrinter, computeMedian } from './report.ts'
import {
  insertSessionsOfFirstBenchMembers,
  reconnectStormServerEnvironmentVariables,
  startReconnectStormWorkers,
} from './storm.ts'
import type { ReconnectStormResult } from './storm-worker.ts'
import { copyBenchCommunity } from './writes.ts'

const SOCKETS_OF_PROCESS = 10_000
const PROCESSES = 3
/** The maximum number of seconds to wait until all sockets are subscribed or have received the events. */
const PATIENCE = 240
/** The number of events that are sent to all sockets in a round, and the number of rounds. */
const EVENTS = { count: 8, rounds: 5 }
const PUSHER_APP_SECRET = 'the secret of the publisher of this bench'

/**
 * Opens 10,000 sockets to one process, and 30,000 to three processes on PostgreSQL with Redis. Measures how
 * long this takes, what memory and processor time a socket costs, and how fast an event reaches all sockets.
 */
export async function measureAndReportManySocketCostsAndDeliveries(
  report: BenchReportPrinter,
  community: BenchCommunity,
) {
  if (!doesOpenFileLimitAllowSockets(SOCKETS_OF_PROCESS))
    return report.note('Left out: `ulimit -Hn` is too low.')
  const folder = copyBenchCommunity(community)
  const members = insertSessionsOfFirstBenchMembers(folder, SOCKETS_OF_PROCESS)
  const env = { ...reconnectStormServerEnvironmentVariables, PUSHER_APP_SECRET }
  const single = await startBenchServer(folder, env)
  const one = await measureSockets(report, 'one process', [single], members, members)
  await single.stop()
  const postgres = findRedisServerPath() && (await startTemporaryPostgres())
  if (!postgres) return report.note('Several processes are left out: they need PostgreSQL and Redis.')
  const redis = await startTemporaryRedis()
  const copy = await copyBenchCommunityToPostgres(postgres.url, {
    ...community,
    file: join(folder, 'engawa.db'),
  })
  const shared = { ...env, DATABASE_URL: copy.url, REDIS_URL: redis.url }
  const servers: BenchServer[] = []
  for (let n = 0; n < PROCESSES; n++) servers.push(await startBenchServer(copy.folder, shared))
  const sockets = members * PROCESSES
  const three = await measureSockets(report, 'three processes', servers, sockets, members)
  report.add({
    what: 'processor of the servers a delivery, three processes',
    ours: three.micros,
    theirs: one.micros,
    comparedWith: 'one process',
    unit: 'µs',
    aim: { most: 1.3 },
  })
  for (const server of servers) await server.stop()
  await Promise.all([postgres.stop(), redis.stop()])
  for (const one of [folder, copy.folder]) rmSync(one, { recursive: true, force: true })
}

async function measureSockets(
  report: BenchReportPrinter,
  name: string,
  servers: readonly BenchServer[],
  sockets: number,
  members: number,
) {
  const memoryOf = () => servers.reduce((sum, { pid }) => sum + readResidentMemoryOfProcess(pid), 0)
  const processorOf = () => servers.reduce((sum, { pid }) => sum + readCpuTimeOfProcess(pid), 0)
  await sleep(2000)
  const [memory, processor] = [memoryOf(), processorOf()]
  const workers = await startReconnectStormWorkers(sockets, members, servers.length)
  const ports = servers.map(({ port }) => port)
  const results = await Promise.all(
    workers.map((worker) => worker.ask<ReconnectStormResult>({ do: 'connect', ports, patience: PATIENCE })),
  )
  const connecting = processorOf() - processor
  const sum = (key: 'errors' | 'missing') => results.reduce((total, one) => total + one[key], 0)
  const what = `${sockets.toLocaleString('en')} sockets, ${name}`
  const add = (label: string, ours: number, unit: string) =>
    report.add({ what: `${what}, ${label}`, ours, unit })
  add('all are subscribed', Math.max(...results.map(({ seconds }) => seconds)), 's')
  add('processor for each', (connecting * 1000) / sockets, 'µs')
  const errors = ((sum('errors') + sum('missing')) / sockets) * 100
  report.add({ what: `${what}, failed attempts`, ours: errors, unit: '%', aim: { most: 1 } })
  for (const reason of new Set(results.flatMap(({ reasons }) => reasons)))
    report.note(`Failed: ${reason.slice(0, 100)}`)
  if (sum('missing')) report.error(`${sum('missing')} sockets were not subscribed`)
  await sleep(3000)
  add('memory for each', (memoryOf() - memory) / 1024 / sockets, 'kB')
  const delivered = await measureDeliveries(report, workers, servers, sockets, processorOf)
  add('deliveries', delivered.perSecond, '/s')
  add('processor a delivery', delivered.micros, 'µs')
  for (const worker of workers) await worker.stop()
  return delivered
}

async function measureDeliveries(
  report: BenchReportPrinter,
  workers: readonly BenchWorker[],
  [first]: readonly BenchServer[],
  sockets: number,
  processorOf: () => number,
) {
  const rounds: { perSecond: number; micros: number }[] = []
  for (let round = 0; round < EVENTS.rounds; round++) {
    const [processor, start] = [processorOf(), performance.now()]
    const all = workers.map((worker) =>
      worker.ask<boolean>({ do: 'hear', events: EVENTS.count * (round + 1), patience: PATIENCE }),
    )
    for (let n = 0; n < EVENTS.count; n++) await publish(first!.url)
    if ((await Promise.all(all)).includes(false)) report.error('An event did not reach all sockets')
    const deliveries = EVENTS.count * sockets
    rounds.push({
      perSecond: deliveries / ((performance.now() - start) / 1000),
      micros: ((processorOf() - processor) * 1000) / deliveries,
    })
  }
  return {
    perSecond: computeMedian(rounds.map(({ perSecond }) => perSecond)),
    micros: computeMedian(rounds.map(({ micros }) => micros)),
  }
}

/** Sends an event to the channel `posts` through the server's copy of Pusher's HTTP API. */
async function publish(url: string) {
  const body = JSON.stringify({
    name: STORM_BENCH_COUNTED_EVENT,
    channel: 'posts',
    data: '{"text":"Good evening!"}',
  })
  const md5 = createHash('md5').update(body).digest('hex')
  const path = '/apps/engawa/events'
  const query = `auth_key=engawa&auth_timestamp=${Math.floor(Date.now() / 1000)}&auth_version=1.0&body_md5=${md5}&nonce=${randomUUID()}`
  const hmac = createHmac('sha256', PUSHER_APP_SECRET).update(`POST\n${path}\n${query}`)
  const address = `${url}${path}?${query}&auth_signature=${hmac.digest('hex')}`
  const { status } = await fetch(address, { method: 'POST', body })
  if (status !== 200) throw new Error(`Publishing was answered with ${status}`)
}
