import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './bare-http.ts'
import { drive, during, requestOf, type Visitor, visitor } from './client.ts'
import type { Community } from './community.ts'
import { kinds, type Reader } from './community-size.ts'
import { type Child, processorTime, type Server, serve, start } from './processes.ts'
import { byTurns, FLAT, type Report, type Settings } from './report.ts'
import { openWriting } from './writes.ts'

const CONNECTIONS = 16
/** Each kind of list is asked for so often, or for so many seconds, before it is measured. */
const WARM = { requests: 4000, seconds: 10 }
/** A second, while lists are asked for. */
const LIKES = 20
/** Answers that take more milliseconds are asked for two at a time: sixteen would only wait. */
const SLOW = 30

/** One list that is asked for, by whom. */
export interface List {
  what: string
  path: string
  who?: Visitor
  /** The reader whose feed the list is. */
  reader?: Reader
  /** The aim: our share of the requests that node:http answers in a second. */
  least?: number
}

/** GET of lists, each beside node:http that answers the same bytes; rounds of the three follow each other. */
export async function lists(report: Report, community: Community, settings: Settings) {
  const server = await serve(community.folder)
  const bare = await start('bare-http.ts')
  const feeds: { reader: Reader; micros: number }[] = []
  const all = await listsOf(server, community)
  for (const list of all.slice(0, 3)) await warm(server, list)
  const [first] = all
  await bare.ask(await answerOf(server, first!))
  for (const path of ['/string', '/buffer']) await warm({ port: bare.first as number }, { ...first!, path })
  for (const list of all) {
    const micros = await compare(report, server, bare, list, settings)
    if (list.reader) feeds.push({ reader: list.reader, micros })
  }
  for (const kind of kinds) isFlat(report, kind, feeds)
  await Promise.all([server.stop(), bare.stop()])
  await whileLiked(report, community, settings)
}

/** Whether a feed of many costs what one of few does. */
function isFlat(report: Report, kind: Reader['kind'], feeds: readonly { reader: Reader; micros: number }[]) {
  const mine = feeds.filter(({ reader }) => reader.kind === kind)
  const [few, many] = [mine[0], mine.at(-1)]
  if (!few || !many || few === many) return
  const what = `feed of ${many.reader.followed} ${followed[kind]}, processor`
  report.add({
    what,
    ours: many.micros,
    theirs: few.micros,
    contestant: `of ${few.reader.followed}`,
    unit: 'µs',
    aim: FLAT,
  })
}

const followed = { active: 'active', silent: 'silent', never: 'who never posted' }

export async function listsOf({ url }: Server, { readers }: Community): Promise<List[]> {
  const [known, member] = [await visitor(url), await visitor(url, 5)]
  const feeds = readers.map(async (reader) => {
    const what = `GET following, ${reader.followed} ${followed[reader.kind]}`
    return { what, path: '/api/posts/following', who: await visitor(url, reader.id), reader, least: 0.35 }
  })
  return [
    { what: 'GET posts, visitor', path: '/api/posts', who: known, least: 0.7 },
    { what: 'GET posts, visitor’s first', path: '/api/posts' },
    { what: 'GET posts, member', path: '/api/posts', who: member, least: 0.35 },
    ...(await Promise.all(feeds)),
  ]
}

async function compare(report: Report, server: Server, bare: Child, list: List, settings: Settings) {
  const answer = await answerOf(server, list)
  await bare.ask(answer)
  const ours = { ...server, list, path: list.path, length: answer.body.length }
  const theirs = { ...ours, port: bare.first as number, pid: bare.pid }
  const [app, text, buffer] = await race(
    [ours, { ...theirs, path: '/string' }, { ...theirs, path: '/buffer' }],
    settings,
  )
  const after = await answerOf(server, list)
  if (!after.body.equals(answer.body))
    report.wrong(`${list.what} answers otherwise than it did before it was measured`)

  const { what, least } = list
  const [speed, work] = [
    { what, ours: app!.perSecond, unit: '/s' },
    { what: `${what}, processor`, ours: app!.micros, unit: 'µs' },
  ]
  const aim = least ? { aim: { least } } : {}
  report.add({ ...speed, theirs: text!.perSecond, contestant: `node:http, ${answer.body.length} B`, ...aim })
  report.add({ ...speed, theirs: buffer!.perSecond, contestant: 'node:http, Buffer' })
  report.add({
    ...work,
    theirs: text!.micros,
    contestant: 'node:http',
    ...(least && { aim: { most: 1 / least } }),
  })
  return app!.micros
}

/**
 * Node compiles code that runs often, so the first racer would look slow without this. Counts requests and
 * not seconds, since a busy machine answers fewer in a second.
 */
export async function warm({ port }: { port: number }, { path, who }: List) {
  const request = requestOf('GET', path, who ? { who } : {})
  const inTime = during(WARM.seconds, request)
  let left = WARM.requests
  await drive(port, { connections: CONNECTIONS, next: () => (left-- > 0 ? inTime() : null), status: 200 })
}

export interface Racer {
  port: number
  pid: number
  list: List
  path: string
  /** The bytes of each body, where they stay the same. */
  length?: number
}
/**
 * Measures the racers in turns: requests a second, and microseconds of the server's processor for a request.
 * Returns the median of each over all rounds but the first.
 */
export async function race(racers: readonly Racer[], { rounds, seconds }: Settings) {
  const ready: { racer: Racer; connections: number }[] = []
  for (const racer of racers) {
    const { perSecond } = await slice(racer, 1, seconds)
    const connections = 1000 / perSecond > SLOW ? 2 : CONNECTIONS
    await slice(racer, connections, seconds)
    ready.push({ racer, connections })
  }
  return byTurns(rounds, ready, ({ racer, connections }) => slice(racer, connections, seconds))
}

async function slice(
  { port, pid, list: { who }, path, length }: Racer,
  connections: number,
  seconds: number,
) {
  const request = requestOf('GET', path, who ? { who } : {})
  const before = processorTime(pid)
  const expected = { status: 200, ...(length !== undefined && { length }) }
  const { requests, perSecond } = await drive(port, {
    connections,
    next: during(seconds, request),
    ...expected,
  })
  return { perSecond, micros: ((processorTime(pid) - before) * 1000) / requests }
}

/** Measures the same lists while people like posts: each like empties the caches of lists. */
async function whileLiked(report: Report, community: Community, { rounds, seconds }: Settings) {
  const writing = await openWriting(community)
  const all = await listsOf(writing.server, community)
  for (const list of all.filter(({ reader, who }) => who && (!reader || reader.followed === 500))) {
    const racer = { ...writing.server, list, path: list.path }
    const calm = () => slice(racer, CONNECTIONS, seconds)
    const liked = async () => {
      let isOver = false
      const likes = (async () => {
        for (; !isOver; await sleep(1000 / LIKES)) await writing.write('likes', writing.take('likes', 1))
      })()
      const found = await calm()
      isOver = true
      await likes
      return found
    }
    await warm(writing.server, list)
    const [before, after] = await byTurns(rounds, [calm, liked], (one) => one())
    const [what, contestant] = [`${list.what}, ${LIKES} likes a second`, 'undisturbed']
    report.add({ what, ours: after!.perSecond, theirs: before!.perSecond, contestant, unit: '/s' })
    report.add({
      what: `${what}, processor`,
      ours: after!.micros,
      theirs: before!.micros,
      contestant,
      unit: 'µs',
    })
  }
  for (const line of writing.wrong()) report.wrong(line)
  await writing.stop()
}

/** Once, by hand: these are the bytes that are compared. */
export async function answerOf({ url }: Server, { path, who }: List): Promise<Answer> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}${path}`, { headers: who ? { cookie: who.cookie } : {} }, resolve).on('error', reject)
  })
  if (answer.statusCode !== 200) throw new Error(`GET ${path} is answered with ${answer.statusCode}`)
  const body = await buffer(answer)
  // node:http adds these headers to both answers by itself.
  const own = ['date', 'connection', 'keep-alive']
  const headers = Object.entries(answer.headersDistinct).flatMap(([name, values]) =>
    values!.map((value): [string, string] => [name, value]),
  )
  return { status: 200, headers: headers.filter(([name]) => !own.includes(name)), body }
}
