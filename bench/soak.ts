import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { fetchCookiesAndXsrfToken } from './client.ts'
import { openBenchCommunity } from './community.ts'
import { listChatPairs } from './community-rows.ts'
import { scaleBaseCommunitySize } from './community-size.ts'
import { startBenchServer } from './processes.ts'
import { createRandomGenerator } from './random.ts'
import { copyBenchCommunity } from './writes.ts'

// `npm run soak -- [minutes]` sends a steady mixed load to a server, and records its memory. At the end it
// prints the growth of the memory per hour.

const minutes = Number(process.argv[2] ?? 60)
if (!(minutes > 0)) {
  console.error('npm run soak -- [minutes] takes how long it lasts, such as 60.')
  process.exit(1)
}
const METRICS_TOKEN = 'read by this soak alone'
const MB = 2 ** 20
/** Milliseconds between two actions of the same kind. */
const EVERY = { read: 50, write: 200, socket: 200, sample: 5000 }
/** Milliseconds for which a socket stays open. */
const STAYS = 20_000
/**
 * The fraction of the run, at its beginning, whose memory samples are not counted, because the memory of a
 * new server always grows.
 */
const WARM = 1 / 6

const size = scaleBaseCommunitySize('all', 1)
const folder = copyBenchCommunity(await openBenchCommunity(size))
const server = await startBenchServer(folder, { METRICS_TOKEN })
const random = createRandomGenerator(Date.now())
const one = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
const pairs = listChatPairs(size).filter(([a, b]) => a <= 100 && b <= 100)
const members = new Map(
  await Promise.all(
    Array.from(
      { length: 100 },
      async (_, n) => [n + 1, await fetchCookiesAndXsrfToken(server.url, n + 1)] as const,
    ),
  ),
)

const done = { requests: 0, failures: 0, sockets: 0 }
const samples: { hours: number; resident: number; heap: number }[] = []
const start = performance.now()
const end = start + minutes * 60_000

async function ask(member: number | null, method: string, path: string, body?: object) {
  const who = member === null ? null : members.get(member)!
  const headers = {
    ...(who && { cookie: who.cookie, 'x-xsrf-token': who.token }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  done.requests++
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}`)
}

const somebody = () => 1 + Math.floor(random() * 100)
const reads = [
  () => ask(null, 'GET', '/api/posts'),
  () => ask(somebody(), 'GET', '/api/posts'),
  () => ask(somebody(), 'GET', '/api/posts/following'),
  () => ask(somebody(), 'GET', '/api/conversations'),
  () => ask(somebody(), 'GET', '/'),
]
const writes = [
  () => ask(somebody(), 'POST', `/api/posts/${size.posts - Math.floor(random() * 1000)}/like`),
  () => {
    const [from, to] = one(pairs)
    return ask(from, 'POST', '/api/send-private-message', {
      input: 'Good evening, are you there?',
      targetUserId: to,
    })
  },
]

function comeAndGo() {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/app/engawa?protocol=7`)
  const subscribe = (channel: string) =>
    socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel } }))
  socket.on('open', () => ['posts', 'chat'].map(subscribe))
  setTimeout(() => socket.close(), STAYS)
  done.sockets++
  return new Promise<void>((resolve, reject) => socket.once('close', () => resolve()).once('error', reject))
}

/**
 * Calls `work`, waits `every` milliseconds, and repeats this until the run ends. Does not wait until the work
 * is done, and does not make up for late calls, so that the load never becomes higher.
 */
async function steadily(every: number, work: () => Promise<unknown>) {
  const underWay = new Set<Promise<unknown>>()
  while (performance.now() < end) {
    const running = work().catch((error: Error) => {
      done.failures++
      console.log(`WRONG: ${error.message}`)
    })
    underWay.add(running)
    void running.finally(() => underWay.delete(running))
    await sleep(every)
  }
  await Promise.all(underWay)
}

async function sample() {
  const answer = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  })
  const text = await answer.text()
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1]) / MB
  const taken = {
    resident: metric('process_resident_memory_bytes'),
    heap: metric('nodejs_heap_size_used_bytes'),
  }
  samples.push({ hours: (performance.now() - start) / 3_600_000, ...taken })
  if (samples.length % Math.ceil((minutes * 60_000) / EVERY.sample / 12) === 0) tell(taken)
}

function tell({ resident, heap }: { resident: number; heap: number }) {
  const passed = `${((performance.now() - start) / 60_000).toFixed(1)} min`
  console.log(
    `${passed}: ${resident.toFixed(0)} MB resident, ${heap.toFixed(1)} MB heap, ${done.requests} requests, ${done.sockets} sockets`,
  )
}

/** Returns the slope of the line that fits the points best (least squares). */
function slope(points: readonly (readonly [number, number])[]) {
  const mean = (n: 0 | 1) => points.reduce((sum, point) => sum + point[n], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const [along, square] = points.reduce(
    ([a, b], point) => [a + (point[0] - x) * (point[1] - y), b + (point[0] - x) ** 2],
    [0, 0],
  )
  return along / square
}

await Promise.all([
  steadily(EVERY.read, () => one(reads)()),
  steadily(EVERY.write, () => one(writes)()),
  steadily(EVERY.socket, comeAndGo),
  steadily(EVERY.sample, sample),
])
const warm = samples.filter(({ hours }) => hours > (minutes / 60) * WARM)
for (const name of ['resident', 'heap'] as const) {
  const rise = slope(warm.map((one) => [one.hours, one[name]]))
  console.log(
    `${name}: ${rise.toFixed(1)} MB an hour, by ${warm.length} samples after the first ${(minutes * WARM).toFixed(1)} min`,
  )
}
console.log(`${done.requests} requests, ${done.failures} of them failed`)
await server.stop()
rmSync(folder, { recursive: true })
process.exitCode = done.failures ? 1 : 0
