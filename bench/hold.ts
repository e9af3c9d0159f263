import { WebSocket } from 'ws'
import { startServer } from '#tests/server.ts'

// What one process holds: on this machine, with sockets that listen, messages that reach all of them, and requests besides.

const [SOCKETS, MESSAGES, REQUESTS] = [1000, 200, 4000]
const METRICS_TOKEN = 'read by this bench'
const server = await startServer({ RATE_LIMIT: 'off', LOG_LEVEL: 'warn', METRICS_TOKEN })

async function metric(name: string) {
  const text = await (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}
const megabytes = async () => (await metric('process_resident_memory_bytes')) / 2 ** 20

/** Runs `work` so often, so many at a time; resolves to how many were done a second. */
async function rate(times: number, width: number, work: () => Promise<unknown>) {
  const start = performance.now()
  let left = times
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (left-- > 0) await work()
    }),
  )
  return Math.round(times / ((performance.now() - start) / 1000))
}

function listen(heard: () => void) {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/app/engawa?protocol=7`)
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>()
  socket.once('error', reject)
  socket.on('message', (data) => {
    const text = String(data)
    if (text.includes('connection_established')) socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel: 'chat' } }))
    else if (text.includes('subscription_succeeded')) resolve(socket)
    else heard()
  })
  return promise
}

const visit = await fetch(`${server.url}/sanctum/csrf-cookie`)
const cookies = visit.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
const token = decodeURIComponent(cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))!.slice('XSRF-TOKEN='.length))
const headers = { cookie: cookies.join('; '), 'x-xsrf-token': token, 'content-type': 'application/json' }

const idle = await megabytes()
let heard = 0
const sockets: WebSocket[] = []
for (let n = 0; n < SOCKETS; n += 50) sockets.push(...(await Promise.all(Array.from({ length: 50 }, () => listen(() => heard++)))))
const full = await megabytes()

const start = performance.now()
await rate(MESSAGES, 8, () =>
  fetch(`${server.url}/api/send-message`, { method: 'POST', headers, body: JSON.stringify({ message: 'Good evening' }) }),
)
for (const deadline = Date.now() + 60_000; heard < SOCKETS * MESSAGES && Date.now() < deadline; )
  await new Promise((resolve) => setTimeout(resolve, 5))
const deliveries = Math.round(heard / ((performance.now() - start) / 1000))
const requests = await rate(REQUESTS, 32, async () => (await fetch(`${server.url}/api/posts`)).arrayBuffer())

console.log(`sockets                    ${await metric('engawa_live_sockets')}`)
console.log(`memory, idle               ${idle.toFixed(0)} MB`)
console.log(`memory for each socket     ${(((full - idle) * 1024) / SOCKETS).toFixed(1)} kB`)
console.log(`deliveries a second        ${deliveries} (${heard} of ${SOCKETS * MESSAGES}; the client is on the same machine)`)
console.log(`requests a second          ${requests} (GET /api/posts, as a visitor, of an empty community)`)
console.log(`memory, at the end         ${(await megabytes()).toFixed(0)} MB`)
for (const socket of sockets) socket.terminate()
await server.stop()
