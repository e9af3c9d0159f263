import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort, findMosquitto, findRedis } from '#tests/services.ts'
import { encodeRequest, fetchCookiesAndXsrfToken } from './client.ts'
import type { BenchCommunity } from './community.ts'
import {
  canOpenSockets,
  killChildOnExit,
  readProcessorTime,
  startBenchServer,
  startBenchWorker,
  stopChild,
} from './processes.ts'
import {
  encodeMqttPublish,
  encodePusherHttpPublish,
  encodeRedisPublish,
  encodeWebSocketTextFrame,
} from './protocols.ts'
import { type BenchReport, type BenchSettings, measureMediansInTurns } from './report.ts'
import type { DeliveryDelayPercentiles, FloodResult, OpenSocketsCommand } from './socket-worker.ts'

const SOCKETS = [100, 1000, 10_000]
const OUTSTANDING = 8
const PACE = { sockets: 1000, perSecond: 20, most: 10 }
const SECRET = 'a secret of this bench alone'
const SENTENCE =
  'Good evening! The lanterns are lit, the tea is warm, and there is room on the veranda. 今夜は縁側でお茶をどうぞ。'

/** One of the servers that this file compares, with what a client needs to subscribe to it and to publish. */
interface Contestant {
  name: string
  pid: number
  open: Omit<OpenSocketsCommand, 'sockets'>
  /**
   * The target for the ratio of Engawa's deliveries per second to those of this server: at least this number.
   * Only Redis and mosquitto have a target.
   */
  least?: number
  stop: () => Promise<unknown>
}

/**
 * Measures how fast each server sends a message to many sockets: the deliveries per second, and their delays.
 * All contestants send the same bytes.
 */
export async function compareFanoutOfServers(
  report: BenchReport,
  { folder }: BenchCommunity,
  settings: BenchSettings,
) {
  const contestants = await startContestants(report, folder)
  for (const sockets of SOCKETS) {
    if (!canOpenSockets(sockets)) {
      report.note(`${sockets} sockets are left out: \`ulimit -Hn\` is too low`)
      continue
    }
    const fitting = contestants.filter(({ name }) => name !== 'publicChat' || sockets === PACE.sockets)
    const listening = await Promise.all(fitting.map((contestant) => subscribe(contestant, sockets)))
    await floods(report, listening, sockets, settings)
    if (sockets === PACE.sockets) await paces(report, listening, settings)
    for (const { child } of listening) await child.stop()
  }
  for (const { stop } of contestants) await stop()
}

async function startContestants(report: BenchReport, folder: string): Promise<Contestant[]> {
  const server = await startBenchServer(folder, { PUSHER_APP_SECRET: SECRET })
  const { pid, port } = server
  // Makes the message that every server sends. It has the bytes that a subscriber of Engawa receives, so that
  // all servers do the same work.
  const createMessageJson = (channel: string, data: string) =>
    JSON.stringify({ channel, event: 'MessageSent', data })
  const data = JSON.stringify({ message: SENTENCE })
  const payload = createMessageJson('bench', data)
  const who = await fetchCookiesAndXsrfToken(server.url)
  const ours = { pid, stop: server.stop }
  const publicChat = encodeRequest('POST', '/api/send-message', { who, body: { message: SENTENCE } })
  const others = [await startRedis(payload), await startMosquitto(payload), await startLoop(payload)]
  for (const missing of ['redis-server', 'mosquitto'].filter((_, n) => !others[n]))
    report.note(`Left out, since this machine has no ${missing}`)
  return [
    {
      name: 'ours',
      ...ours,
      open: { protocol: 'pusher', port, message: encodePusherHttpPublish(SECRET, data), payload },
    },
    {
      name: 'publicChat',
      ...ours,
      open: { protocol: 'publicChat', port, message: publicChat, payload: createMessageJson('chat', data) },
    },
    ...others.filter((one) => one !== null),
  ]
}

async function startRedis(payload: string): Promise<Contestant | null> {
  const program = findRedis()
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
  const child = killChildOnExit(spawn(program, args, { stdio: 'ignore', cwd: tmpdir() }))
  await listens(port)
  const open = { protocol: 'redis', port, message: encodeRedisPublish(payload), payload } as const
  return { name: 'Redis', pid: child.pid!, open, least: 0.8, stop: () => stopChild(child) }
}

async function startMosquitto(payload: string): Promise<Contestant | null> {
  const program = findMosquitto()
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
  const child = killChildOnExit(spawn(program, ['-c', join(folder, 'conf')], { stdio: 'ignore' }))
  await listens(port)
  rmSync(folder, { recursive: true })
  const open = { protocol: 'mqtt', port, message: encodeMqttPublish(payload), payload } as const
  return { name: 'mosquitto', pid: child.pid!, open, least: 2, stop: () => stopChild(child) }
}

async function startLoop(payload: string): Promise<Contestant> {
  const child = await startBenchWorker('ws-loop.ts')
  const open = {
    protocol: 'plainWebSocket',
    port: child.first as number,
    message: encodeWebSocketTextFrame(payload),
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
  report: BenchReport,
  listening: Subscribers[],
  sockets: number,
  { rounds, seconds }: BenchSettings,
) {
  const flood = async ({ child, pid }: Subscribers) => {
    const before = readProcessorTime(pid)
    const done = await child.ask<FloodResult>({ do: 'flood', seconds, outstanding: OUTSTANDING })
    const deliveries = done.messages * sockets
    return {
      perSecond: deliveries / done.seconds,
      micros: ((readProcessorTime(pid) - before) * 1000) / deliveries,
    }
  }
  for (const one of listening) await flood(one)
  const [ours, ...theirs] = await measureMediansInTurns(rounds, listening, flood)
  const what = `to ${sockets.toLocaleString('en')} sockets`
  for (const [n, { name, least }] of listening.slice(1).entries()) {
    const speed = { ours: ours!.perSecond, theirs: theirs[n]!.perSecond, unit: '/s' }
    const work = { ours: ours!.micros, theirs: theirs[n]!.micros, unit: 'µs' }
    if (name === 'publicChat')
      report.add({ what: `${what}, a POST to the public chat`, ours: speed.theirs, unit: '/s' })
    else {
      report.add({
        what: `${what}, deliveries`,
        comparedWith: name,
        ...speed,
        ...(least && { aim: { least } }),
      })
      report.add({ what: `${what}, processor a delivery`, comparedWith: name, ...work })
    }
  }
}

async function paces(report: BenchReport, listening: Subscribers[], { rounds }: BenchSettings) {
  const pace = ({ child }: Subscribers) =>
    child.ask<DeliveryDelayPercentiles>({ do: 'pace', seconds: 2, perSecond: PACE.perSecond })
  const [ours, ...theirs] = await measureMediansInTurns(rounds, listening, pace)
  const what = `${PACE.perSecond} a second to ${PACE.sockets.toLocaleString('en')}`
  report.add({ what: `${what}, p99`, ours: ours!.p99, unit: 'ms', aim: { most: PACE.most } })
  for (const [n, one] of listening.slice(1).entries()) {
    const contestant = one.name === 'publicChat' ? 'a POST to the public chat' : one.name
    for (const name of ['p50', 'p99', 'most'] as const)
      report.add({
        what: `${what}, ${name}`,
        ours: ours![name],
        theirs: theirs[n]![name],
        comparedWith: contestant,
        unit: 'ms',
      })
  }
}
