import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestOf } from './client.ts'
import { benchFolder } from './community.ts'
import { serve } from './processes.ts'
import type { Report } from './report.ts'

/** Attacks come from an address of their own, so that its limits do not refuse the members. */
const ATTACKER = '127.0.0.9'
const MEGABYTE = 2 ** 20
/** The longest that a member should wait, ms. */
const AIM = { most: 1000 }
const PAUSE = 20

/** Measures how long a health check and a member's message take while others attack the server. */
export async function hostile(report: Report) {
  const folder = mkdtempSync(join(benchFolder(), 'hostile-'))
  const server = await serve(folder, { RATE_LIMIT: 'on' })
  const ana = await register(server.url, 'Ana')
  const ben = await register(server.url, 'Ben')
  await ben.post(`/api/follow/${ana.id}`)
  const probes = {
    healthz: () => fetch(`${server.url}/healthz`),
    message: () => ben.post('/api/send-private-message', { input: 'Hello', targetUserId: ana.id }),
  }
  for (const [what, attack] of Object.entries(attacks)) {
    const sockets: Socket[] = []
    const slowest = await measure(probes, () => attack(dialler(server.port, sockets), ana))
    for (const [probe, ours] of Object.entries(slowest))
      report.add({ what: `${what}: slowest ${probe}`, ours, unit: 'ms', aim: AIM })
    for (const socket of sockets) socket.destroy()
    await sleep(500)
  }
  await server.stop()
  rmSync(folder, { recursive: true })
}

type Dial = () => Promise<Socket>
type Member = Awaited<ReturnType<typeof register>>

/** Each resolves when it is over. */
const attacks: Record<string, (dial: Dial, member: Member) => Promise<unknown>> = {
  'no attack': () => sleep(2000),
  'ten forms of 1 MB to an unknown path': async (dial) => {
    const body = 'a&'.repeat(MEGABYTE / 2)
    const type = 'application/x-www-form-urlencoded'
    const headers = { 'content-type': type, 'content-length': body.length }
    const bytes = Buffer.concat([requestOf('POST', '/no/such/path', { headers }), Buffer.from(body)])
    await Promise.all(Array.from({ length: 10 }, async () => answered(await dial(), bytes)))
  },
  'ten lists of wrong items, 1 MB each': async (dial, member) => {
    const body = { text: 'x', alt: Array(500_000).fill(0) }
    const bytes = requestOf('POST', '/api/posts', { who: member.who, body })
    await Promise.all(Array.from({ length: 10 }, async () => answered(await dial(), bytes)))
  },
  'ten lists of wrong items, 60 kB each': async (dial, member) => {
    const body = { text: 'x', alt: Array(30_000).fill(0) }
    const bytes = requestOf('POST', '/api/posts', { who: member.who, body })
    await Promise.all(Array.from({ length: 10 }, async () => answered(await dial(), bytes)))
  },
  '3,000 silent connections': async (dial) => {
    await Promise.all(Array.from({ length: 3000 }, dial))
    await sleep(1000)
  },
  '200 clients who read no answer': async (dial) => {
    const bytes = Buffer.concat(Array(40).fill(requestOf('GET', '/api/openapi.json')))
    for (let n = 0; n < 200; n++) (await dial()).pause().write(bytes)
    await sleep(1000)
  },
  '20,000 requests for unknown paths': async (dial) => {
    const bytes = Buffer.concat(Array(5000).fill(requestOf('POST', '/no/such/path')))
    const last = requestOf('GET', '/no/such/path', { headers: { connection: 'close' } })
    const all = Buffer.concat([bytes, last])
    await Promise.all(Array.from({ length: 4 }, async () => answered(await dial(), all, true)))
  },
}

/** Asks by turns until the attack is over. Returns the longest time of each, ms. */
async function measure<P extends Record<string, () => Promise<{ status: number }>>>(
  probes: P,
  attack: () => Promise<unknown>,
) {
  const slowest = Object.fromEntries(Object.keys(probes).map((name) => [name, 0])) as Record<keyof P, number>
  let isOver = false
  const end = attack().finally(() => {
    isOver = true
  })
  const ask = async (name: keyof P) => {
    do {
      const start = performance.now()
      const { status } = await probes[name]!()
      if (status !== 200) throw new Error(`${String(name)} was answered with ${status}`)
      slowest[name] = Math.max(slowest[name], performance.now() - start)
      await sleep(PAUSE)
    } while (!isOver)
  }
  await Promise.all([end, ...Object.keys(probes).map(ask)])
  return slowest
}

function dialler(port: number, sockets: Socket[]): Dial {
  return async () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: ATTACKER })
    sockets.push(socket)
    socket.on('error', () => {}).resume()
    await Promise.race([once(socket, 'connect'), once(socket, 'close')])
    return socket
  }
}

/** Sends bytes, and resolves with the first of the answer, or when the connection closes. */
async function answered(socket: Socket, bytes: Buffer, toTheEnd = false) {
  if (socket.destroyed) return
  const closed = once(socket, 'close')
  const first = toTheEnd ? closed : once(socket, 'data')
  socket.write(bytes)
  await Promise.race([first, closed])
}

async function register(url: string, name: string) {
  const who = { cookie: '', token: '' }
  const jar = new Map<string, string>()
  const take = (answer: Response) => {
    for (const cookie of answer.headers.getSetCookie()) jar.set(cookie.split('=')[0]!, cookie.split(';')[0]!)
    who.cookie = [...jar.values()].join('; ')
    who.token = decodeURIComponent(jar.get('XSRF-TOKEN')!.slice('XSRF-TOKEN='.length))
    return answer
  }
  const post = async (path: string, body: object = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { cookie: who.cookie, 'x-xsrf-token': who.token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  take(await fetch(`${url}/sanctum/csrf-cookie`))
  const password = 'correct horse battery'
  const email = `${name.toLowerCase()}@engawa.example`
  const answer = take(await post('/api/register', { name, email, password, password_confirmation: password }))
  if (answer.status !== 200) throw new Error(`Registration was answered with ${answer.status}`)
  const { user } = (await answer.json()) as { user: { id: number } }
  return { id: user.id, who, post }
}
