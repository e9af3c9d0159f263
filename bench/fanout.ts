import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findMosquittoPath, findRedisServerPath } from '#tests/programs.ts'
import { findFreePort } from '#tests/services.ts'
import { encodeBenchHttpRequest, fetchBenchCookiesAndXsrfToken } from './client.ts'
import type { BenchCommunity } from './community.ts'
import {
  doesOpenFileLimitAllowSockets,
  killChildProcessOnExit,
  readCpuTimeOfProcess,
  startBenchServer,
  startBenchWorker,
  stopChildProcess,
} from './processes.ts'
import {
  encodeBenchClientEventFrame,
  encodeBenchMqttPublishPacket,
  encodeBenchPusherBatchPublishRequest,
  encodeBenchPusherPublishRequest,
  encodeBenchRedisPublishCommand,
  encodeBenchWebSocketTextFrame,
  PUSHER_BATCH_BENCH_CHANNEL,
} from './protocols.ts'
import { type BenchReportPrinter, type BenchSettings, measureMediansInTurns } from './report.ts'
import type {
  BenchDeliveryDelayPercentiles,
  OpenBenchSocketsCommand,
  SocketFloodBenchResult,
} from './socket-commands.ts'

const SOCKETS = [100, 1000, 10_000]
const OUTSTANDING = 8
const PACE = { sockets: 1000, perSecond: 20, most: 10 }
const SECRET = 'a secret of this bench alone'
const PUBLIC_CHAT = 'a POST to the public chat'
/** The maximum number of events that Pusher's HTTP API takes in a request. */
const MAX_BATCH = 10
const SENTENCE =
  'Good evening! The lanterns are lit, the tea is warm, and there is room on the veranda. 今夜は縁側でお茶をどうぞ。'

/**
 * One of the servers, or ways to publish, that this bench section compares, with what a client needs to
 * subscribe to it and to publish.
 */
interface Contestant {
  name: string
  pid: number
  open: Omit<OpenBenchSocketsCommand, 'sockets'>
  /**
   * Present if this is a way to publish through Engawa: the minimum ratios of its deliveries per second
   * to those of other servers, by the names of the servers.
   */
  least?: Readonly<Record<string, number>>
  /** The numbers of sockets with which this contestant is measured. If absent, it is measured with all. */
  sockets?: readonly number[]
  stop: () => Promise<unknown>
}

/**
 * Measures how fast Engawa and other servers send a message to many sockets: the deliveries per second, and
 * their delays. All servers send the same bytes.
 */
export async function compareAndReportMessageFanoutOfServers(
  report: BenchReportPrinter,
  { folder }: BenchCommunity,
  settings: BenchSettings,
) {
  const contestants = await startContestants(report, folder)
  for (const sockets of SOCKETS) {
    if (!doesOpenFileLimitAllowSockets(sockets)) {
      report.note(`${sockets} sockets are left out: \`ulimit -Hn\` is too low`)
      continue
    }
    const fitting = contestants.filter((one) => !one.sockets || one.sockets.includes(sockets))
    const listening = await Promise.all(fitting.map((contestant) => subscribe(contestant, sockets)))
    await floods(report, listening, sockets, settings)
    if (sockets === PACE.sockets) await paces(report, listening, settings)
    for (const { child } of listening) await child.stop()
  }
  for (const { stop } of contestants) await stop()
}

async function startContestants(report: BenchReportPrinter, folder: string): Promise<Contestant[]> {
  const server = await startBenchServer(folder, { PUSHER_APP_SECRET: SECRET })
  const { pid, port } = server
  // Returns the message that every server sends. It has the bytes that a subscriber of Engawa receives, so
  // that all servers do the same work.
  const createMessageJson = (channel: string, data: string) =>
    JSON.stringify({ channel, event: 'MessageSent', data })
  const data = JSON.stringify({ message: SENTENCE })
  const payload = createMessageJson('bench', data)
  const who = await fetchBenchCookiesAndXsrfToken(server.url)
  const ours = { pid, stop: server.stop }
  const publicChat = encodeBenchHttpRequest('POST', '/api/send-message', { who, body: { message: SENTENCE } })
  const others = [await startRedis(payload), await startMosquitto(payload), await startLoop(payload)]
  for (const missing of ['redis-server', 'mosquitto'].filter((_, n) => !others[n]))
    report.note(`Left out, since this machine has no ${missing}`)
  const chatOpen = { protocol: 'publicChat', port, message: publicChat } as const
  return [
    ...createPusherContestants(port, data, payload).map((one) => ({ ...ours, ...one })),
    {
      name: PUBLIC_CHAT,
      ...ours,
      open: { ...chatOpen, payload: createMessageJson('chat', data) },
      least: {},
      sockets: [PACE.sockets],
    },
    ...others.filter((one) => one !== null),
  ]
}

/** Returns the ways in which Pusher's clients and servers publish through Engawa. */
function createPusherContestants(port: number, data: string, payload: string) {
  const createBatch = (count: number) =>
    encodeBenchPusherBatchPublishRequest(SECRET, PUSHER_BATCH_BENCH_CHANNEL, data, count)
  const batches = Array.from({ length: MAX_BATCH - 1 }, (_, n) => createBatch(n + 2))
  const message = encodeBenchPusherPublishRequest(SECRET, data)
  return [
    {
      name: 'an event a request',
      open: { protocol: 'pusher', port, message, payload, secret: SECRET },
      least: { Redis: 0.8, mosquitto: 2 },
    },
    {
      name: 'batches',
      open: {
        protocol: 'pusherBatches',
        port,
        message: createBatch(1),
        batches,
        payload,
        secret: SECRET,
      },
      least: { mosquitto: 0.6 },
      sockets: [100, 1000],
    },
    {
      name: 'client events',
      open: {
        protocol: 'clientEvents',
        port,
        message: encodeBenchClientEventFrame(data),
        payload,
        secret: SECRET,
      },
      least: { mosquitto: 1 },
      sockets: [100, 1000],
    },
  ] satisfies Omit<Contestant, 'pid' | 'stop'>[]
}

async function startRedis(payload: string): Promise<Contestant | null> {
  const program = findRedisServerPath()
  if (!program) return null
  const port = await findFreePort()
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--maxclients',
    '15000',
  ]
  const child = killChildProcessOnExit(spawn(program, args, { stdio: 'ignore', cwd: tmpdir() }))
  await listens(port)
  const open = { protocol: 'redis', port, message: encodeBenchRedisPublishCommand(payload), payload } as const
  return { name: 'Redis', pid: child.pid!, open, stop: () => stopChildProcess(child) }
}

async function startMosquitto(payload: string): Promise<Contestant | null> {
  const program = findMosquittoPath()
  if (!program) return null
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'engawa-mosquitto-'))
  const settings = [
    'allow_anonymous true',
    'max_connections -1',
    'persistence false',
    'set_tcp_nodelay true',
    'log_type none',
  ]
  writeFileSync(join(folder, 'conf'), [`listener ${port} 127.0.0.1`, ...settings, ''].join('\n'))
  const child = killChildProcessOnExit(spawn(program, ['-c', join(folder, 'conf')], { stdio: 'ignore' }))
  await listens(port)
  rmSync(folder, { recursive: true })
  const open = { protocol: 'mqtt', port, message: encodeBenchMqttPublishPacket(payload), payload } as const
  return { name: 'mosquitto', pid: child.pid!, open, stop: () => stopChildProcess(child) }
}

async function startLoop(payload: string): Promise<Contestant> {
  const child = await startBenchWorker('ws-loop.ts')
  const open = {
    protocol: 'plainWebSocket',
    port: child.first as number,
    message: encodeBenchWebSocketTextFrame(payload),
    payload,
  } as const
  return { name: 'ws.send in a loop', pid: child.pid, open, stop: child.stop }
}

async function listens(port: number) {
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; await sleep(30)) {
    const socket = connect({ port, host: '127.0.0.1' })
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
  }
  throw new Error('A server that ours is compared with did not start')
}

async function subscribe(contestant: Contestant, sockets: number) {
  const child = await startBenchWorker('socket-worker.ts')
  await child.ask({ do: 'open', sockets, ...contestant.open })
  return { ...contestant, child }
}
type Subscribers = Awaited<ReturnType<typeof subscribe>>

async function floods(
  report: BenchReportPrinter,
  listening: Subscribers[],
  sockets: number,
  { rounds, seconds }: BenchSettings,
) {
  const flood = async ({ child, pid }: Subscribers) => {
    const before = readCpuTimeOfProcess(pid)
    const done = await child.ask<SocketFloodBenchResult>({ do: 'flood', seconds, outstanding: OUTSTANDING })
    const deliveries = done.messages * sockets
    return {
      perSecond: deliveries / done.seconds,
      micros: ((readCpuTimeOfProcess(pid) - before) * 1000) / deliveries,
    }
  }
  for (const one of listening) await flood(one)
  const medians = await measureMediansInTurns(rounds, listening, flood)
  const measured = listening.map((one, n) => ({ ...one, ...medians[n]! }))
  for (const ours of measured.filter(({ least }) => least)) {
    const what = `to ${sockets.toLocaleString('en')} sockets, ${ours.name}`
    for (const theirs of measured.filter(({ least }) => !least)) {
      const compared = { what, comparedWith: theirs.name }
      const least = ours.least![theirs.name]
      const speed = { ours: ours.perSecond, theirs: theirs.perSecond, unit: '/s' }
      report.add({ ...compared, ...speed, ...(least && { aim: { least } }) })
      const work = { ours: ours.micros, theirs: theirs.micros, unit: 'µs' }
      report.add({ ...compared, what: `${what}, processor a delivery`, ...work })
    }
  }
}

async function paces(report: BenchReportPrinter, all: Subscribers[], { rounds }: BenchSettings) {
  const listening = all.filter(({ name }) => name !== 'batches' && name !== 'client events')
  const pace = ({ child }: Subscribers) =>
    child.ask<BenchDeliveryDelayPercentiles>({ do: 'pace', seconds: 2, perSecond: PACE.perSecond })
  const [ours, ...theirs] = await measureMediansInTurns(rounds, listening, pace)
  const what = `${PACE.perSecond} a second to ${PACE.sockets.toLocaleString('en')}`
  report.add({ what: `${what}, p99`, ours: ours!.p99, unit: 'ms', aim: { most: PACE.most } })
  for (const [n, one] of listening.slice(1).entries()) {
    for (const name of ['p50', 'p99', 'most'] as const)
      report.add({
        what: `${what}, ${name}`,
        ours: ours![name],
        theirs: theirs[n]![name],
        comparedWith: one.name,
        unit: 'ms',
        ...(one.name === 'Redis' && name === 'p99' && { aim: { most: 1 } }),
      })
  }
}
