import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Answer } from './bare-http.ts'
import { drive, during, requestOf, type Visitor, visitor } from './client.ts'
import { type Community, kinds, type Reader } from './community.ts'
import { type Child, processorTime, type Server, serve, start } from './processes.ts'
import { byTurns, FLAT, type Report, type Settings } from './report.ts'

const CONNECTIONS = 16
/** Seconds. */
const WARM = 1.5
/** Milliseconds of an answer that sixteen at a time would only queue for: they are asked for two at a time. */
const SLOW = 30

/** One list that is asked for, by whom. */
export interface List {
  what: string
  path: string
  who?: Visitor
  /** Whose feed it is. */
  reader?: Reader
  /** Of node:http's requests a second, what we wish for. */
  least?: number
}

/** GET of lists, each beside node:http that answers the same bytes; rounds of the three follow each other. */
export async function lists(report: Report, community: Community, settings: Settings) {
  const server = await serve(community.folder)
  const bare = await start('bare-http.ts')
  const feeds: { reader: Reader; micros: number }[] = []
  const all = await listsOf(server, community)
  for (const list of all.slice(0, 3)) await warm(server, list)
  for (const list of all) {
    const micros = await compare(report, server, bare, list, settings)
    if (list.reader) feeds.push({ reader: list.reader, micros })
  }
  for (const kind of kinds) isFlat(report, kind, feeds)
  await Promise.all([server.stop(), bare.stop()])
}

/** Whether a feed of many costs what one of few does. */
function isFlat(report: Report, kind: Reader['kind'], feeds: readonly { reader: Reader; micros: number }[]) {
  const mine = feeds.filter(({ reader }) => reader.kind === kind)
  const [few, many] = [mine[0], mine.at(-1)]
  if (!few || !many || few === many) return
  const what = `feed of ${many.reader.followed} ${followed[kind]}, processor`
  report.add({ what, ours: many.micros, theirs: few.micros, contestant: `of ${few.reader.followed}`, unit: 'µs', aim: FLAT })
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
  const [app, text, buffer] = await race([ours, { ...theirs, path: '/string' }, { ...theirs, path: '/buffer' }], settings)
  const after = await answerOf(server, list)
  if (!after.body.equals(answer.body)) report.wrong(`${list.what} answers otherwise than it did before it was measured`)

  const { what, least } = list
  const [speed, work] = [
    { what, ours: app!.perSecond, unit: '/s' },
    { what: `${what}, processor`, ours: app!.micros, unit: 'µs' },
  ]
  const aim = least ? { aim: { least } } : {}
  report.add({ ...speed, theirs: text!.perSecond, contestant: `node:http, ${answer.body.length} B`, ...aim })
  report.add({ ...speed, theirs: buffer!.perSecond, contestant: 'node:http, Buffer' })
  report.add({ ...work, theirs: text!.micros, contestant: 'node:http', ...(least && { aim: { most: 1 / least } }) })
  return app!.micros
}

/** Node compiles what runs often: whoever is measured first would look slow. */
export async function warm(server: Server, list: List) {
  const request = requestOf('GET', list.path, list.who ? { who: list.who } : {})
  await drive(server.port, { connections: CONNECTIONS, next: during(WARM, request), status: 200 })
}

export interface Racer {
  port: number
  pid: number
  list: List
  path: string
  /** Of each body. */
  length: number
}
/** Of each, by turns: requests a second, and microseconds of the server's processor for a request; medians of the rounds after a first. */
export async function race(racers: readonly Racer[], { rounds, seconds }: Settings) {
  const slice = async ({ port, pid, list: { who }, path, length, connections }: Racer & { connections: number }) => {
    const request = requestOf('GET', path, who ? { who } : {})
    const before = processorTime(pid)
    const { requests, perSecond } = await drive(port, { connections, next: during(seconds, request), status: 200, length })
    return { perSecond, micros: ((processorTime(pid) - before) * 1000) / requests }
  }
  const ready: (Racer & { connections: number })[] = []
  for (const one of racers) {
    const { perSecond } = await slice({ ...one, connections: 1 })
    const connections = 1000 / perSecond > SLOW ? 2 : CONNECTIONS
    await slice({ ...one, connections })
    ready.push({ ...one, connections })
  }
  return byTurns(rounds, ready, slice)
}

/** Once, by hand: these are the bytes that are compared. */
export async function answerOf({ url }: Server, { path, who }: List): Promise<Answer> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}${path}`, { headers: who ? { cookie: who.cookie } : {} }, resolve).on('error', reject)
  })
  if (answer.statusCode !== 200) throw new Error(`GET ${path} is answered with ${answer.statusCode}`)
  const body = await buffer(answer)
  // Those that node:http adds by itself, to both.
  const own = ['date', 'connection', 'keep-alive']
  const headers = Object.entries(answer.headersDistinct).flatMap(([name, values]) =>
    values!.map((value): [string, string] => [name, value]),
  )
  return { status: 200, headers: headers.filter(([name]) => !own.includes(name)), body }
}
