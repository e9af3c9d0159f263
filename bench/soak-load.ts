import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { WebSocket } from 'ws'
import { type BenchCookiesAndXsrfToken, fetchBenchCookiesAndXsrfToken } from './client.ts'
import { listBenchPrivateChatPairs } from './community-rows.ts'
import type { BenchCommunitySize } from './community-size.ts'
import { createSeededRandomFunction } from './random.ts'

/** The number of members who send the requests of the load. */
const MEMBERS = 100
/** The milliseconds between two actions of the same kind. */
const INTERVALS = { read: 50, write: 200, picture: 5000, socket: 200 }
/** The number of milliseconds for which a socket of the load stays open. */
const SOCKET_TIME = 20_000

export interface SoakRequestFailureAndSocketCounts {
  requests: number
  failures: number
  sockets: number
}

/**
 * Sends a steady mixed load to the servers until `end` (a value of `performance.now()`): reads, likes,
 * reactions, replies, private messages, posts with a picture that are deleted again, and sockets that open
 * and close. Each request goes to a random server. Raises the numbers in `counts` meanwhile.
 */
export async function sendSoakLoadAndIncreaseCounts(
  urls: readonly string[],
  size: BenchCommunitySize,
  end: number,
  counts: SoakRequestFailureAndSocketCounts,
) {
  const random = createSeededRandomFunction(Date.now())
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
  const sessions = await openSessions(urls[0]!)
  const client = createSoakClient(() => pick(urls), sessions, counts)
  const pairs = listBenchPrivateChatPairs(size).filter(([a, b]) => a <= MEMBERS && b <= MEMBERS)
  const member = () => 1 + Math.floor(random() * MEMBERS)
  const post = () => size.posts - Math.floor(random() * 1000)
  const reads = [
    () => client.send(null, 'GET', '/api/posts'),
    () => client.send(member(), 'GET', '/api/posts'),
    () => client.send(member(), 'GET', '/api/posts/following'),
    () => client.send(member(), 'GET', '/api/conversations'),
    () => client.send(member(), 'GET', '/api/notifications'),
    () => client.send(member(), 'GET', '/'),
  ]
  const writes = [
    () => client.send(member(), 'POST', `/api/posts/${post()}/like`),
    () => sendReactionAndRemove(client, member(), post()),
    () => client.send(member(), 'POST', `/api/posts/${post()}/replies`, { text: 'Yes, at four.' }),
    () => {
      const [from, targetUserId] = pick(pairs)
      const message = { input: 'Good evening, are you there?', targetUserId }
      return client.send(from, 'POST', '/api/send-private-message', message)
    },
  ]
  const picture = await createPicture()
  await Promise.all([
    repeat(INTERVALS.read, end, counts, () => pick(reads)()),
    repeat(INTERVALS.write, end, counts, () => pick(writes)()),
    repeat(INTERVALS.picture, end, counts, () => sendPictureAndDelete(client, member(), picture)),
    repeat(INTERVALS.socket, end, counts, () => openAndCloseSocket(pick(urls), counts)),
  ])
}

async function openSessions(url: string) {
  const sessions = new Map<number, BenchCookiesAndXsrfToken>()
  for (let id = 1; id <= MEMBERS; id++) sessions.set(id, await fetchBenchCookiesAndXsrfToken(url, id))
  return sessions
}

type SoakClient = ReturnType<typeof createSoakClient>

function createSoakClient(
  getUrl: () => string,
  sessions: ReadonlyMap<number, BenchCookiesAndXsrfToken>,
  counts: SoakRequestFailureAndSocketCounts,
) {
  return {
    /**
     * Sends a request as a member, or as a visitor (null). Returns the parsed JSON object of the response, or
     * null if the response has none.
     */
    async send(member: number | null, method: string, path: string, body?: object | FormData) {
      const who = member === null ? null : sessions.get(member)!
      const isForm = body instanceof FormData
      const headers = {
        ...(who && { cookie: who.cookie, 'x-xsrf-token': decodeURIComponent(who.token) }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      }
      const answer = await fetch(`${getUrl()}${path}`, {
        method,
        headers,
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      counts.requests++
      if (!answer.ok) throw new Error(`${method} ${path} is answered with ${answer.status}`)
      return text.startsWith('{') ? JSON.parse(text) : null
    },
  }
}

async function sendReactionAndRemove(client: SoakClient, member: number, post: number) {
  const path = `/api/posts/${post}/reactions/${encodeURIComponent('👍')}`
  await client.send(member, 'PUT', path)
  await client.send(member, 'DELETE', path)
}

async function sendPictureAndDelete(client: SoakClient, member: number, picture: Buffer) {
  const form = new FormData()
  form.set('text', 'A picture')
  form.append('images[]', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'picture.jpg')
  const { post } = await client.send(member, 'POST', '/api/posts', form)
  await client.send(member, 'DELETE', `/api/posts/${post.id}`)
}

const createPicture = () =>
  sharp({ create: { width: 1200, height: 900, channels: 3, background: '#c86' } })
    .jpeg()
    .toBuffer()

function openAndCloseSocket(url: string, counts: SoakRequestFailureAndSocketCounts) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/app/engawa?protocol=7`)
  socket.on('open', () => {
    for (const channel of ['posts', 'chat'])
      socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel } }))
  })
  setTimeout(() => socket.close(), SOCKET_TIME)
  counts.sockets++
  return new Promise<void>((resolve, reject) => {
    socket.once('close', () => resolve()).once('error', reject)
  })
}

/**
 * Calls `work` every `interval` milliseconds until `end`. Does not wait until the work is done, and does not
 * make up for late calls, so that the load never becomes higher. Resolves when all the work is done.
 */
async function repeat(
  interval: number,
  end: number,
  counts: SoakRequestFailureAndSocketCounts,
  work: () => Promise<unknown>,
) {
  const running = new Set<Promise<unknown>>()
  while (performance.now() < end) {
    const one = work().catch((error: Error) => {
      counts.failures++
      console.log(`FAILED: ${error.message}`)
    })
    running.add(one)
    void one.finally(() => running.delete(one))
    await sleep(interval)
  }
  await Promise.all(running)
}
