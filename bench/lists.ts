import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fixed } from './bare.ts'
import { cookies, encode, race, type Side, send } from './client.ts'
import type { Community } from './community.ts'
import type { Store } from './copies.ts'
import { startWorker } from './processes.ts'
import { inTurns, median, type Report, type Settings } from './report.ts'
import { kinds, type Reader } from './sizes.ts'

/** How many likes a second another member writes while lists are read. */
const LIKES = 20
/** The id of the member who likes. */
const LIKER = 50
/**
 * How many members read a list in turn. On SQLite it is one, so that each answer has the bytes of the simplest
 * server, and a like makes one page be read again.
 */
const readers = { sqlite: 1, postgres: 20 }
/** How many posts `feeds` writes in a round. After each of them, the feed is read once. */
const POSTS = 30
const aim = {
  firstPage: { least: 0.5 },
  feed: { least: 0.35 },
  during: { least: 0.5 },
  afterPost: { most: 3 },
}

interface List {
  what: string
  path: string
  /** A visitor reads it if there are none. */
  members: readonly number[]
  least?: number
}

export function lists({ readers: followers, size }: Community, count: number) {
  // The first member is an admin, whose pages have more parts.
  const members = Array.from({ length: count }, (_, n) => n + 5)
  const first: List[] = [
    { what: 'first page, visitor', path: '/api/posts', members: [], ...aim.firstPage },
    { what: 'first page, members', path: '/api/posts', members, ...aim.firstPage },
  ]
  const feeds = followers.map(({ id, followed, kind }): List => {
    const what = `feed of ${followed} ${kind}`
    return { what, path: '/api/posts/following', members: [id], ...aim.feed }
  })
  const others = {
    'older posts': `/api/posts?before=${Math.floor(size.posts / 2)}`,
    people: '/api/users',
    'search of people that finds none': '/api/users?q=ar',
    conversations: '/api/conversations',
    'private chat': '/api/messages/:next',
    'unread messages': '/api/unread',
    notifications: '/api/notifications',
    'unread notifications': '/api/notifications/unread',
    'current user': '/api/user',
    'page /': '/',
  }
  return [
    ...first,
    ...feeds,
    ...Object.entries(others).map(([what, path]): List => ({ what, path, members })),
  ]
}

/** The bytes of a list's requests. In `path`, `:next` is a member with whom the reader has a private chat. */
export async function requests(url: string, { path, members }: List) {
  if (!members.length) return [encode('GET', path)]
  const all: Buffer[] = []
  for (const id of members)
    all.push(encode('GET', path.replace(':next', `${id + 1}`), { who: await cookies(url, id) }))
  return all
}

/**
 * Measures lists and the page `/`, beside the simplest server that answers with the same bytes: from memory,
 * or from one row of PostgreSQL. Then beside themselves while somebody writes.
 */
export async function measureLists(
  report: Report,
  community: Community,
  settings: Settings,
  store: Store,
  env: Record<string, string> = {},
) {
  const copy = await store.copy(community)
  const server = await copy.startServer(env)
  const empty = await store.emptyDatabase()
  const bare = await (empty ? startWorker('bare.ts', 'postgres', empty) : startWorker('bare.ts', 'http'))
  const beside = empty ? 'bare pg' : 'node:http'
  const like = await liker(server.url, community)
  for (const list of lists(community, copy.url ? readers.postgres : readers.sqlite)) {
    const { what, path, members, least } = list
    const answer = await fetchFixed(`${server.url}${path.replace(':next', `${(members[0] ?? 0) + 1}`)}`, {
      ...(members[0] && { cookie: (await cookies(server.url, members[0])).cookie }),
    })
    await bare.ask(answer)
    const ours: Side = { ...server, requests: await requests(server.url, list) }
    const sides = [
      ours,
      { ...ours, meanwhile: like },
      { ...ours, port: bare.first as number, pid: bare.pid },
    ] satisfies Side[]
    const [calm, during, simplest] = await race(sides, settings, store.cpuTime)
    const bytes = `${beside}, ${answer.body.length.toLocaleString('en')} B`
    const add = (name: string, key: 'perSecond' | 'micros' | 'database', unit: string) => {
      const isSpeed = key === 'perSecond'
      const [base, writing] = [`${what}${name}`, `${what}, ${LIKES} likes a second${name}`]
      report.add({
        ...{ what: base, ours: calm![key], theirs: simplest![key], beside: bytes, unit },
        ...(isSpeed && least && !copy.url && { aim: { least } }),
      })
      report.add({
        ...{ what: writing, ours: during![key], theirs: calm![key], beside: 'undisturbed', unit },
        ...(isSpeed && { aim: aim.during }),
      })
    }
    add('', 'perSecond', '/s')
    add(', processor', 'micros', 'µs')
    if (copy.url) add(', PostgreSQL', 'database', 'µs')
  }
  await Promise.all([server.stop(), bare.stop()])
}

/**
 * Likes the newest posts and takes the likes back, each after an equal time, whether or not the one before is
 * answered.
 */
async function liker(url: string, { size }: Community) {
  const who = await cookies(url, LIKER)
  let count = 0
  return async (over: AbortSignal) => {
    const all: Promise<unknown>[] = []
    for (let due = performance.now(); !over.aborted; due += 1000 / LIKES) {
      await sleep(Math.max(0, due - performance.now()))
      all.push(send(url, who, 'POST', `/api/posts/${size.posts - (count++ % 20)}/like`))
    }
    await Promise.all(all)
  }
}

async function fetchFixed(url: string, headers: Record<string, string>): Promise<Fixed> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers }, resolve).on('error', reject)
  })
  if (answer.statusCode !== 200) throw new Error(`GET ${url} is answered with ${answer.statusCode}`)
  // node:http adds these by itself.
  const added = ['date', 'connection', 'keep-alive']
  const own = Object.entries(answer.headersDistinct)
    .filter(([name]) => !added.includes(name))
    .flatMap(([name, values]) => values!.map((value): [string, string] => [name, value]))
  return { headers: own, body: await buffer(answer) }
}

/** Measures the first reading of a feed after a post: feeds of many people beside feeds of few. */
export async function measureFeeds(
  report: Report,
  community: Community,
  { rounds }: Settings,
  store: Store,
  env: Record<string, string> = {},
) {
  const copy = await store.copy(community)
  const server = await copy.startServer(env)
  // Readers of feeds have no followers, so the post is in no feed.
  const author = await cookies(server.url, community.readers.at(-1)!.id)
  const measure = async ({ id }: Reader) => {
    const who = await cookies(server.url, id)
    const times: number[] = []
    for (let n = 0; n < POSTS; n++) {
      await send(server.url, author, 'POST', '/api/posts', { text: `Post ${n}` })
      const start = performance.now()
      await send(server.url, who, 'GET', '/api/posts/following')
      times.push(performance.now() - start)
    }
    return { ms: median(times) }
  }
  for (const kind of kinds) {
    const [few, many] = community.readers.filter((reader) => reader.kind === kind)
    if (!few || !many) continue
    for (const reader of [few, many]) await measure(reader)
    const [ours, theirs] = await inTurns(rounds, [many, few], measure)
    report.add({
      what: `${copy.url ? 'PostgreSQL' : 'SQLite'}: feed of ${many.followed} ${kind} after a post`,
      ...{ ours: ours!.ms, theirs: theirs!.ms, beside: `of ${few.followed}`, unit: 'ms' },
      aim: aim.afterPost,
    })
  }
  await server.stop()
}
