import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeBenchHttpRequest } from './client.ts'
import { ensureBenchRootFolder } from './community.ts'
import { type BenchMemberClient, registerBenchMemberAndCreateClient } from './members.ts'
import { startBenchServer } from './processes.ts'
import type { BenchReportPrinter } from './report.ts'

/**
 * Returns the local IP address from which the attack with this number comes. Each attack has its own, so that
 * rate limits affect neither the members nor other attacks.
 */
const attackerOf = (attack: number) => `127.0.0.${9 + attack}`
const MEGABYTE = 2 ** 20
/** The target for the longest time in milliseconds that a member waits for a response. */
const AIM = { most: 1000 }
const PAUSE = 20

/**
 * Measures how long the responses to a health check and to a member's chat message take while somebody
 * attacks the server.
 */
export async function measureAndReportResponseWaitsUnderAttack(report: BenchReportPrinter) {
  const folder = mkdtempSync(join(ensureBenchRootFolder(), 'hostile-'))
  const server = await startBenchServer(folder, { RATE_LIMIT: 'on' })
  const ana = await registerBenchMemberAndCreateClient(server.url, 'Ana')
  const ben = await registerBenchMemberAndCreateClient(server.url, 'Ben')
  await ben.post(`/api/follow/${ana.id}`)
  for (let n = 0; n < 100; n++) await ana.post('/api/posts', { text: `${n} ${'雪'.repeat(900)}` })
  const probes = {
    healthz: () => fetch(`${server.url}/healthz`),
    message: () => ben.post('/api/send-private-message', { input: 'Hello', targetUserId: ana.id }),
  }
  for (const [n, [what, attack]] of Object.entries(attacks).entries()) {
    const sockets: Socket[] = []
    const slowest = await measure(probes, () => attack(dialler(server.port, attackerOf(n), sockets), ana))
    for (const [probe, ours] of Object.entries(slowest))
      report.add({ what: `${what}: slowest ${probe}`, ours, unit: 'ms', aim: AIM })
    for (const socket of sockets) socket.destroy()
    await sleep(500)
  }
  await server.stop()
  rmSync(folder, { recursive: true })
}

type Dial = () => Promise<Socket>

/** The attacks by their names. Each function attacks the server, and resolves when its attack has ended. */
const attacks: Record<string, (dial: Dial, member: BenchMemberClient) => Promise<unknown>> = {
  'no attack': () => sleep(2000),
  'ten forms of 1 MB to an unknown path': async (dial) => {
    const body = 'a&'.repeat(MEGABYTE / 2)
    const type = 'application/x-www-form-urlencoded'
    const headers = { 'content-type': type, 'content-length': body.length }
    const bytes = Buffer.concat([
      encodeBenchHttpRequest('POST', '/no/such/path', { headers }),
      Buffer.from(body),
    ])
    await Promise.all(Array.from({ length: 10 }, async () => answered(await dial(), bytes)))
  },
  'ten lists of wrong items, 1 MB each': async (dial, member) => {
    const body = { text: 'x', alt: Array(500_000).fill(0) }
    const bytes = encodeBenchHttpRequest('POST', '/api/posts', { who: member.who, body })
    await Promise.all(Array.from({ length: 10 }, async () => answered(await dial(), bytes)))
  },
  'ten lists of wrong items, 60 kB each': async (dial, member) => {
    const body = { text: 'x', alt: Array(30_000).fill(0) }
    const bytes = encodeBenchHttpRequest('POST', '/api/posts', { who: member.who, body })
    await Promise.all(Array.from({ length: 10 }, async () => answered(await dial(), bytes)))
  },
  '3,000 silent connections': async (dial) => {
    await Promise.all(Array.from({ length: 3000 }, dial))
    await sleep(1000)
  },
  '200 clients who read no answer': async (dial) => {
    const bytes = Buffer.concat(Array(40).fill(encodeBenchHttpRequest('GET', '/api/openapi.json')))
    for (let n = 0; n < 200; n++) (await dial()).pause().write(bytes)
    await sleep(1000)
  },
  '20,000 requests for unknown paths': async (dial) => {
    const bytes = encodeBenchHttpRequest('POST', '/no/such/path')
    await Promise.all(Array.from({ length: 4 }, async () => askOften(await dial(), bytes, 5000, PIPELINED)))
  },
  '50 clients who send 24 requests for a long list and read no answer': async (dial, member) => {
    const bytes = Buffer.concat(Array(24).fill(encodeBenchHttpRequest('GET', LONG_LIST, { who: member.who })))
    for (let n = 0; n < 50; n++) (await dial()).pause().write(bytes)
    await sleep(1000)
  },
  '1,000 requests for a long list on 50 connections': async (dial) => {
    const bytes = encodeBenchHttpRequest('GET', LONG_LIST, { headers: { 'accept-encoding': 'br' } })
    await Promise.all(Array.from({ length: 50 }, async () => askOften(await dial(), bytes, 20, 1)))
  },
}

const LONG_LIST = '/api/posts?limit=100'
/**
 * The number of requests that an attacker sends at once on one connection: few enough that the server does
 * not close the connection, which it does if more than 64 wait.
 */
const PIPELINED = 60

/**
 * Repeats each probe (a request whose response time is measured) until the attack has ended. Returns, for
 * each probe, the longest response time in milliseconds.
 */
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

function dialler(port: number, localAddress: string, sockets: Socket[]): Dial {
  return async () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.on('error', () => {}).resume()
    await Promise.race([once(socket, 'connect'), once(socket, 'close')])
    return socket
  }
}

/** Sends bytes over a connection. Resolves when the response begins, or when the connection closes. */
async function answered(socket: Socket, bytes: Buffer) {
  if (socket.destroyed) return
  const ended = Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.write(bytes)
  await ended
}

/**
 * Sends a request `count` times over one connection, `pipelined` requests at once. Resolves when all are
 * answered or the connection closes.
 */
async function askOften(socket: Socket, request: Buffer, count: number, pipelined: number) {
  if (socket.destroyed) return
  const closed = once(socket, 'close')
  const bytes = Buffer.concat(Array(pipelined).fill(request))
  const start = 'HTTP/1.1 '
  let [sent, answers, tail] = [0, 0, '']
  const allAnswered = new Promise<void>((resolve) => {
    const sendMore = () => {
      if (sent >= count) return resolve()
      sent += pipelined
      socket.write(bytes)
    }
    socket.on('data', (data: Buffer) => {
      const text = tail + data.toString('latin1')
      answers += text.split(start).length - 1
      // Keeps the last bytes of the chunk for the next call, because a status line may begin in them and end
      // in the next chunk.
      tail = text.slice(1 - start.length)
      if (answers >= sent) sendMore()
    })
    sendMore()
  })
  await Promise.race([allAnswered, closed])
}
