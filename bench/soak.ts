import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { WebSocket } from 'ws'
import { cookies, send, type Who } from './client.ts'
import type { Community } from './community.ts'
import { type Copy, redisEnvironment, type Store } from './copies.ts'
import type { Server } from './processes.ts'
import { seededRandom } from './random.ts'
import type { Report, Settings } from './report.ts'
import { pairs } from './rows.ts'
import type { Size } from './sizes.ts'

const MB = 2 ** 20
/** How many members send the load. */
const MEMBERS = 100
/** Between two actions of a kind, in ms. */
const every = { read: 50, write: 200, picture: 5000, socket: 200, sample: 5000 }
/** How long a socket of the load stays open, and how long the servers rest before the last sample, in ms. */
const SOCKET_TIME = 20_000
const REST = 60_000
/** The part at the beginning that does not count, because the memory of a new server always grows. */
const WARM_UP = 1 / 6
const METRICS_TOKEN = 'the token of the soak'

interface Sample {
  hours: number
  resident: number
  heap: number
  files: number
}

/**
 * Sends a steady mixed load to one process on SQLite, or to three on PostgreSQL with Redis. Reports how their
 * memory and open files grow, and which tables.
 */
export async function measureSoak(
  report: Report,
  community: Community,
  { minutes, database }: Settings,
  store: Store,
) {
  const copy = await store.copy(community)
  const redis = database === 'postgres' ? await redisEnvironment() : null
  const servers: Server[] = []
  for (let n = 0; n < (redis ? 3 : 1); n++)
    servers.push(await copy.startServer({ ...redis?.env, METRICS_TOKEN }))
  const rows = await countRows(copy)
  const samples = servers.map((): Sample[] => [])
  const begun = performance.now()
  const end = begun + minutes * 60_000
  const sampleAll = async () => {
    const hours = (performance.now() - begun) / 3_600_000
    for (const [n, server] of servers.entries()) samples[n]!.push(await readSample(server, hours))
  }
  const counts = { requests: 0, failures: 0, sockets: 0 }
  const urls = servers.map(({ url }) => url)
  await Promise.all([
    sendLoad(urls, community.size, end, counts),
    repeat(every.sample, end, sampleAll, (error) => report.error(error.message)),
  ])
  await sleep(REST)
  await sampleAll()
  for (const [name, ours] of Object.entries(counts)) report.add({ what: name, ours, unit: '' })
  if (counts.failures) report.error(`${counts.failures} requests failed`)
  for (const [n, all] of samples.entries()) addGrowth(report, `process ${n + 1}`, all, minutes / 60)
  for (const [table, ours] of await countRows(copy)) {
    const theirs = rows.get(table) ?? 0
    if (ours !== theirs) report.add({ what: `rows of ${table}`, ours, theirs, beside: 'before', unit: '' })
  }
  for (const server of servers) await server.stop()
  await redis?.stop()
}

function addGrowth(report: Report, name: string, samples: readonly Sample[], hours: number) {
  const last = samples.at(-1)!
  const warm = samples.slice(0, -1).filter((sample) => sample.hours > hours * WARM_UP)
  for (const key of ['resident', 'heap'] as const) {
    const growth = slope(warm.map((sample) => [sample.hours, sample[key]]))
    report.add({ what: `${name}, ${key}, growth an hour`, ours: growth, unit: 'MB' })
    report.add({ what: `${name}, ${key}, at the end`, ours: last[key], unit: 'MB' })
  }
  const files = { ours: last.files, theirs: samples[0]!.files, beside: 'at first', unit: '' }
  report.add({ what: `${name}, open files`, ...files })
}

/** The slope of the straight line that fits the points best (least squares). */
function slope(points: readonly (readonly [x: number, y: number])[]) {
  const mean = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / points.length
  const [meanX, meanY] = [mean(0), mean(1)]
  let products = 0
  let squares = 0
  for (const [x, y] of points) {
    products += (x - meanX) * (y - meanY)
    squares += (x - meanX) ** 2
  }
  return products / squares
}

async function readSample({ url, pid }: Server, hours: number): Promise<Sample> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  const text = await answer.text()
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1])
  return {
    hours,
    resident: read('process_resident_memory_bytes') / MB,
    heap: read('nodejs_heap_size_used_bytes') / MB,
    files: countFiles(`/proc/${pid}/fd`) ?? Number.NaN,
  }
}

/** The rows of each table, and under `files` the files of pictures. */
async function countRows(copy: Copy) {
  const names = await copy.query(
    copy.url
      ? `select tablename as name from pg_tables where schemaname = 'public'`
      : `select name from sqlite_master where type = 'table' and sql not like '%virtual%'`,
  )
  const rows = new Map([['files', countFiles(join(copy.folder, 'media')) ?? 0]])
  for (const { name } of names)
    rows.set(String(name), Number((await copy.query(`select count(*) as count from "${name}"`))[0]!.count))
  return rows
}

/** Null if there is no such folder. */
function countFiles(folder: string) {
  try {
    return readdirSync(folder, { recursive: true }).length
  } catch {
    return null
  }
}

// ── The load ────────────────────────────────────────────────────────────────

interface Counts {
  requests: number
  failures: number
  sockets: number
}

/** Each request goes to a random server. */
async function sendLoad(urls: readonly string[], size: Size, end: number, counts: Counts) {
  const random = seededRandom(Date.now())
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
  const sessions = new Map<number, Who>()
  for (let id = 1; id <= MEMBERS; id++) sessions.set(id, await cookies(urls[0]!, id))
  const ask = (member: number | null, method: string, path: string, body?: object | FormData) => {
    counts.requests++
    return send(pick(urls), member === null ? null : sessions.get(member)!, method, path, body)
  }
  const chats = pairs(size).filter(([a, b]) => a <= MEMBERS && b <= MEMBERS)
  const member = () => 1 + Math.floor(random() * MEMBERS)
  const post = () => size.posts - Math.floor(random() * 1000)
  const pages = ['/api/posts', '/api/posts/following', '/api/conversations', '/api/notifications', '/']
  const reads = [
    () => ask(null, 'GET', '/api/posts'),
    ...pages.map((path) => () => ask(member(), 'GET', path)),
  ]
  const writes = [
    () => ask(member(), 'POST', `/api/posts/${post()}/like`),
    async () => {
      const [who, path] = [member(), `/api/posts/${post()}/reactions/${encodeURIComponent('👍')}`]
      await ask(who, 'PUT', path)
      await ask(who, 'DELETE', path)
    },
    () => ask(member(), 'POST', `/api/posts/${post()}/replies`, { text: 'Yes, at four.' }),
    () => {
      const [from, targetUserId] = pick(chats)
      return ask(from, 'POST', '/api/send-private-message', { input: 'Are you there?', targetUserId })
    },
  ]
  const picture = await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#c86' } })
    .jpeg()
    .toBuffer()
  const postPicture = async () => {
    const [who, form] = [member(), new FormData()]
    form.set('text', 'A picture')
    form.append('images[]', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'picture.jpg')
    const { post } = await ask(who, 'POST', '/api/posts', form)
    await ask(who, 'DELETE', `/api/posts/${post.id}`)
  }
  const openSocket = () => {
    counts.sockets++
    return visit(pick(urls))
  }
  const failed = (error: Error) => {
    counts.failures++
    console.log(`  ${error.message}`)
  }
  await Promise.all([
    repeat(every.read, end, () => pick(reads)(), failed),
    repeat(every.write, end, () => pick(writes)(), failed),
    repeat(every.picture, end, postPicture, failed),
    repeat(every.socket, end, openSocket, failed),
  ])
}

function visit(url: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/app/engawa?protocol=7`)
  socket.on('open', () => {
    for (const channel of ['posts', 'chat'])
      socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel } }))
  })
  setTimeout(() => socket.close(), SOCKET_TIME)
  return new Promise<void>((resolve, reject) => {
    socket.once('close', () => resolve()).once('error', reject)
  })
}

/**
 * Begins the work after each interval until `end`, whether or not the one before is done. It does not make up
 * for late ones, so the load never becomes higher.
 */
async function repeat(
  interval: number,
  end: number,
  work: () => Promise<unknown>,
  failed: (error: Error) => void,
) {
  const running = new Set<Promise<unknown>>()
  while (performance.now() < end) {
    const one = work().catch(failed)
    running.add(one)
    void one.finally(() => running.delete(one))
    await sleep(interval)
  }
  await Promise.all(running)
}
