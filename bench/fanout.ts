import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'
import type { Community } from './community.ts'
import { sqliteStore } from './copies.ts'
import { allowsSockets, cpuTime, startWorker } from './processes.ts'
import { message } from './protocols.ts'
import { inTurns, type Report, type Settings } from './report.ts'
import type { Delays, Flood, Opening } from './sockets.ts'

const SOCKETS = [100, 1000, 10_000]
const OUTSTANDING = 8
const PACE = { sockets: 1000, perSecond: 20 }
const aim = { deliveries: { least: 0.8 }, delay: { most: 10 } }
const secret = 'a secret of this bench alone'
const payload = message({
  message:
    'Good evening! The lanterns are lit, the tea is warm, and there is room on the veranda. 今夜は縁側でお茶をどうぞ。',
})

interface Side {
  name: string
  pid: number
  open: Omit<Opening, 'sockets'>
  stop: () => Promise<unknown>
}

/**
 * Measures how fast a message reaches many sockets: an event through Pusher's HTTP API, beside Redis and a
 * loop over the sockets of `ws`. All send the same bytes.
 */
export async function measureFanout(report: Report, community: Community, settings: Settings) {
  const copy = await sqliteStore.copy(community)
  const server = await copy.startServer({ PUSHER_APP_SECRET: secret })
  const loop = await startWorker('bare.ts', 'sockets')
  const open = (protocol: Opening['protocol'], port: number) => ({ protocol, port, payload, secret })
  const sides: Side[] = [
    { ...server, name: 'Engawa', open: open('pusher', server.port) },
    { ...loop, name: 'ws.send in a loop', open: open('webSocket', loop.first as number) },
  ]
  if (findRedis()) {
    const redis = await startRedis('--maxclients', '15000')
    const pid = redis.pid()
    sides.splice(1, 0, { name: 'Redis', pid, open: open('redis', redis.port), stop: redis.stop })
  } else report.note('Redis is left out: this machine has none.')
  for (const sockets of SOCKETS) {
    if (!allowsSockets(sockets)) {
      report.note(`${sockets} sockets are left out: \`ulimit -Hn\` is too low`)
      continue
    }
    const listening = await Promise.all(sides.map((side) => subscribe(side, sockets)))
    await floods(report, listening, sockets, settings)
    if (sockets === PACE.sockets) await paces(report, listening, settings)
    for (const { worker } of listening) await worker.stop()
  }
  for (const { stop } of sides) await stop()
}

async function subscribe(side: Side, sockets: number) {
  const worker = await startWorker('sockets.ts')
  await worker.ask({ do: 'open', sockets, ...side.open })
  return { ...side, worker }
}
type Listening = Awaited<ReturnType<typeof subscribe>>

async function floods(
  report: Report,
  listening: readonly Listening[],
  sockets: number,
  { rounds, seconds }: Settings,
) {
  const flood = async ({ worker, pid }: Listening) => {
    const before = cpuTime(pid)
    const done = await worker.ask<Flood>({ do: 'flood', seconds, outstanding: OUTSTANDING })
    const deliveries = done.messages * sockets
    return { perSecond: deliveries / done.seconds, micros: ((cpuTime(pid) - before) * 1000) / deliveries }
  }
  for (const side of listening) await flood(side)
  const [ours, ...others] = await inTurns(rounds, listening, flood)
  const what = `to ${sockets.toLocaleString('en')} sockets`
  for (const [n, theirs] of others.entries()) {
    const beside = listening[n + 1]!.name
    const speed = { ours: ours!.perSecond, theirs: theirs.perSecond, unit: '/s' }
    report.add({ what, beside, ...speed, ...(beside === 'Redis' && { aim: aim.deliveries }) })
    const work = { ours: ours!.micros, theirs: theirs.micros, unit: 'µs' }
    report.add({ what: `${what}, processor a delivery`, beside, ...work })
  }
}

async function paces(report: Report, listening: readonly Listening[], { rounds }: Settings) {
  const pace = ({ worker }: Listening) =>
    worker.ask<Delays>({ do: 'pace', seconds: 2, perSecond: PACE.perSecond })
  const [ours, ...others] = await inTurns(rounds, listening, pace)
  const what = `${PACE.perSecond} a second to ${PACE.sockets.toLocaleString('en')}`
  report.add({ what: `${what}, p99`, ours: ours!.p99, unit: 'ms', aim: aim.delay })
  for (const [n, theirs] of others.entries())
    for (const name of ['p50', 'p99', 'most'] as const)
      report.add({
        ...{ what: `${what}, ${name}`, ours: ours![name], theirs: theirs[name], unit: 'ms' },
        beside: listening[n + 1]!.name,
      })
}
