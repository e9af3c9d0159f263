import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Answer } from './bare-http.ts'
import { drive, during, requestOf, type Visitor, visitor } from './client.ts'
import type { Community } from './community.ts'
import { type Child, processorTime, type Server, serve, start } from './processes.ts'
import { median, type Report, type Settings } from './report.ts'

const CONNECTIONS = 16

/** One list that is asked for, by whom. */
export interface List {
  what: string
  path: string
  who?: Visitor
  least?: number
}

/** GET of lists, each beside node:http that answers the same bytes; rounds of the three follow each other. */
export async function lists(report: Report, community: Community, settings: Settings) {
  const server = await serve(community.folder)
  const bare = await start('bare-http.ts')
  for (const list of await listsOf(server, community)) await compare(report, server, bare, list, settings)
  await Promise.all([server.stop(), bare.stop()])
}

export async function listsOf({ url }: Server, { readers }: Community): Promise<List[]> {
  const [known, member] = [await visitor(url), await visitor(url, 5)]
  const feeds = readers.map(async ({ id, followed, kind }) => {
    const posted = { active: 'who post', silent: 'silent for years', never: 'who never posted' }[kind]
    return {
      what: `GET /api/posts/following, ${followed} ${posted}`,
      path: '/api/posts/following',
      who: await visitor(url, id),
      least: 0.35,
    }
  })
  return [
    { what: 'GET /api/posts, visitor', path: '/api/posts', who: known, least: 0.7 },
    { what: 'GET /api/posts, visitor’s first', path: '/api/posts' },
    { what: 'GET /api/posts, member', path: '/api/posts', who: member, least: 0.35 },
    ...(await Promise.all(feeds)),
  ]
}

async function compare(report: Report, server: Server, bare: Child, list: List, { rounds, seconds }: Settings) {
  const answer = await answerOf(server, list)
  await bare.ask(answer)
  const port = bare.first as number
  const request = (path: string) => requestOf('GET', path, list.who ? { who: list.who } : {})
  const contestants = [
    { port: server.port, pid: server.pid, request: request(list.path) },
    { port, pid: bare.pid, request: request('/string') },
    { port, pid: bare.pid, request: request('/buffer') },
  ]
  const slice = async ({ port, pid, request }: (typeof contestants)[number]) => {
    const before = processorTime(pid)
    const expected = { status: answer.status, length: answer.body.length }
    const { requests, perSecond } = await drive(port, { connections: CONNECTIONS, next: during(seconds, request), ...expected })
    return { perSecond, micros: ((processorTime(pid) - before) * 1000) / requests }
  }
  for (const one of contestants) await slice(one)
  const found = contestants.map(() => [] as Awaited<ReturnType<typeof slice>>[])
  for (let round = 0; round < rounds; round++) for (const [n, one] of contestants.entries()) found[n]!.push(await slice(one))
  const after = await answerOf(server, list)
  if (!after.body.equals(answer.body)) report.wrong(`${list.what} answers otherwise than it did before it was measured`)

  const of = (n: number, name: 'perSecond' | 'micros') => median(found[n]!.map((one) => one[name]))
  const { what, least } = list
  const aim = least === undefined ? {} : { aim: { least } }
  const [speed, work] = [
    { what, ours: of(0, 'perSecond'), unit: '/s' },
    { what: `${what}, processor`, ours: of(0, 'micros'), unit: 'µs' },
  ]
  report.add({ ...speed, theirs: of(1, 'perSecond'), contestant: `node:http, ${answer.body.length} B`, ...aim })
  report.add({ ...speed, theirs: of(2, 'perSecond'), contestant: 'node:http, Buffer' })
  report.add({ ...work, theirs: of(1, 'micros'), contestant: 'node:http', ...(least && { aim: { most: Math.round(100 / least) / 100 } }) })
}

/** Once, by hand: these are the bytes that are compared. */
async function answerOf({ url }: Server, { path, who }: List): Promise<Answer> {
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
