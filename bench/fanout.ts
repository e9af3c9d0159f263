import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findMosquitto, findRedis, freePort } from '#tests/services.ts'
import { requestOf, visitor } from './client.ts'
import type { Community } from './community.ts'
import type { Flooded, Opening, Paced } from './listeners.ts'
import { end, keep, mayHold, processorTime, serve, start } from './processes.ts'
import { masked, mqttMessage, pusherEvent, redisMessage } from './protocols.ts'
import { byTurns, type Report, type Settings } from './report.ts'

const SOCKETS = [100, 1000, 10_000]
const OUTSTANDING = 8
const PACE = { sockets: 1000, perSecond: 20, most: 10 }
const SECRET = 'a secret of this bench alone'
const SENTENCE =
  'Good evening! The lanterns are lit, the tea is warm, and there is room on the veranda. 今夜は縁側でお茶をどうぞ。'

/** Somebody who fans messages out, and a process that subscribes and publishes there. */
interface Contestant {
  name: string
  pid: number
  open: Omit<Opening, 'sockets'>
  /** The aim: our share of the deliveries of this contestant. Set for Redis and mosquitto. */
  least?: number
  stop: () => Promise<unknown>
}

/**
 * Measures one message to many sockets: the deliveries a second, and their delays. All contestants send the
 * same bytes.
 */
export async function fanout(report: Report, { folder }: Community, settings: Settings) {
  const contestants = await everybody(report, folder)
  for (const sockets of SOCKETS) {
    if (!mayHold(sockets)) {
      report.say(`${sockets} sockets are left out: \`ulimit -Hn\` is too low`)
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

async function everybody(report: Report, folder: string): Promise<Contestant[]> {
  const server = await serve(folder, { PUSHER_APP_SECRET: SECRET })
  const { pid, port } = server
  // Every contestant sends the bytes that our subscribers get.
  const told = (channel: string, data: string) => JSON.stringify({ channel, event: 'MessageSent', data })
  const data = JSON.stringify({ message: SENTENCE })
  const payload = told('bench', data)
  const who = await visitor(server.url)
  const ours = { pid, stop: server.stop }
  const publicChat = requestOf('POST', '/api/send-message', { who, body: { message: SENTENCE } })
  const others = [await startRedis(payload), await startMosquitto(payload), await startLoop(payload)]
  for (const missing of ['redis-server', 'mosquitto'].filter((_, n) => !others[n]))
    report.say(`Left out, since this machine has no ${missing}`)
  return [
    {
      name: 'ours',
      ...ours,
      open: { protocol: 'pusher', port, message: pusherEvent(SECRET, data), payload },
    },
    {
      name: 'publicChat',
      ...ours,
      open: { protocol: 'publicChat', port, message: publicChat, payload: told('chat', data) },
    },
    ...others.filter((one) => one !== null),
  ]
}

async function startRedis(payload: string): Promise<Contestant | null> {
  const program = findRedis()
  if (!program) return null
  const port = await freePort()
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
  const child = keep(spawn(program, args, { stdio: 'ignore', cwd: tmpdir() }))
  await listens(port)
  const open = { protocol: 'redis', port, message: redisMessage(payload), payload } as const
  return { name: 'Redis', pid: child.pid!, open, least: 0.8, stop: () => end(child) }
}

async function startMosquitto(payload: string): Promise<Contestant | null> {
  const program = findMosquitto()
  if (!program) return null
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'engawa-mosquitto-'))
  const settings = [
    'allow_anonymous true',
    'max_connections -1',
    'persistence false',
    'set_tcp_nodelay true',
    'log_type none',
  ]
  writeFileSync(join(folder, 'conf'), [`listener ${port} 127.0.0.1`, ...settings, ''].join('\n'))
  const child = keep(spawn(program, ['-c', join(folder, 'conf')], { stdio: 'ignore' }))
  await listens(port)
  rmSync(folder, { recursive: true })
  const open = { protocol: 'mqtt', port, message: mqttMessage(payload), payload } as const
  return { name: 'mosquitto', pid: child.pid!, open, least: 2, stop: () => end(child) }
}

async function startLoop(payload: string): Promise<Contestant> {
  const child = await start('ws-loop.ts')
  const open = {
    protocol: 'plainWebSocket',
    port: child.first as number,
    message: masked(payload),
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
  const child = await start('listeners.ts')
  await child.ask({ do: 'open', sockets, ...contestant.open })
  return { ...contestant, child }
}
type Listening = Awaited<ReturnType<typeof subscribe>>

async function floods(
  report: Report,
  listening: Listening[],
  sockets: number,
  { rounds, seconds }: Settings,
) {
  const flood = async ({ child, pid }: Listening) => {
    const before = processorTime(pid)
    const done = await child.ask<Flooded>({ do: 'flood', seconds, outstanding: OUTSTANDING })
    const deliveries = done.messages * sockets
    return {
      perSecond: deliveries / done.seconds,
      micros: ((processorTime(pid) - before) * 1000) / deliveries,
    }
  }
  for (const one of listening) await flood(one)
  const [ours, ...theirs] = await byTurns(rounds, listening, flood)
  const what = `to ${sockets.toLocaleString('en')} sockets`
  for (const [n, { name, least }] of listening.slice(1).entries()) {
    const speed = { ours: ours!.perSecond, theirs: theirs[n]!.perSecond, unit: '/s' }
    const work = { ours: ours!.micros, theirs: theirs[n]!.micros, unit: 'µs' }
    if (name === 'publicChat')
      report.add({ what: `${what}, a POST to the public chat`, ours: speed.theirs, unit: '/s' })
    else {
      report.add({
        what: `${what}, deliveries`,
        contestant: name,
        ...speed,
        ...(least && { aim: { least } }),
      })
      report.add({ what: `${what}, processor a delivery`, contestant: name, ...work })
    }
  }
}

async function paces(report: Report, listening: Listening[], { rounds }: Settings) {
  const pace = ({ child }: Listening) =>
    child.ask<Paced>({ do: 'pace', seconds: 2, perSecond: PACE.perSecond })
  const [ours, ...theirs] = await byTurns(rounds, listening, pace)
  const what = `${PACE.perSecond} a second to ${PACE.sockets.toLocaleString('en')}`
  report.add({ what: `${what}, p99`, ours: ours!.p99, unit: 'ms', aim: { most: PACE.most } })
  for (const [n, one] of listening.slice(1).entries()) {
    const contestant = one.name === 'publicChat' ? 'a POST to the public chat' : one.name
    for (const name of ['p50', 'p99', 'most'] as const)
      report.add({
        what: `${what}, ${name}`,
        ours: ours![name],
        theirs: theirs[n]![name],
        contestant,
        unit: 'ms',
      })
  }
}
