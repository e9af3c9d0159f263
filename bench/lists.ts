import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FixedBareHttpResponse } from './bare-http.ts'
import {
  type BenchCookiesAndXsrfToken,
  createSameBenchRequestFunctionForSeconds,
  encodeBenchHttpRequest,
  fetchBenchCookiesAndXsrfToken,
  measureConcurrentHttpRequestsPerSecond,
} from './client.ts'
import type { BenchCommunity } from './community.ts'
import {
  type BenchFeedReaderIdAndFolloweeCount,
  benchFolloweePostingFrequencyNames,
} from './community-size.ts'
import {
  type BenchServer,
  type BenchWorker,
  readCpuTimeOfProcess,
  startBenchServer,
  startBenchWorker,
} from './processes.ts'
import {
  type BenchReportPrinter,
  type BenchSettings,
  CONSTANT_COST_RATIO_BENCH_THRESHOLD,
  measureMediansInTurns,
} from './report.ts'
import { startBenchServerAndCreateRowWriter } from './writes.ts'

const CONNECTIONS = 16
/**
 * The number of times that each server's list is requested before the measurement, and the maximum time for
 * this in seconds.
 */
const WARM = { requests: 4000, seconds: 10 }
/** The number of likes per second that are written while lists are requested. */
const LIKES = 20
/**
 * The response time in milliseconds above which a list is requested over two connections instead of sixteen:
 * sixteen requests would only wait for each other.
 */
const SLOW = 30

/**
 * A request for a list that the bench measures. `who` has the cookies of the member who requests the list;
 * without `who` it is the first request of a visitor.
 */
export interface ListBenchCase {
  what: string
  path: string
  who?: BenchCookiesAndXsrfToken
  /** The feed reader whose feed is requested, if the list is a feed. */
  reader?: BenchFeedReaderIdAndFolloweeCount
  /** The minimum ratio of Engawa's requests per second to those of node:http, as a target. */
  least?: number
}

/**
 * Measures GET requests for several lists, in turns with a node:http server that answers with the same bytes,
 * as a string and as a Buffer. Measures the HTML page `/` of a member in the same way.
 */
export async function compareAndReportListRequestsWithBareHttp(
  report: BenchReportPrinter,
  community: BenchCommunity,
  settings: BenchSettings,
) {
  const server = await startBenchServer(community.folder)
  const bare = await startBenchWorker('bare-http.ts')
  const feeds: { reader: BenchFeedReaderIdAndFolloweeCount; micros: number }[] = []
  const all = await createListBenchCases(server, community)
  for (const list of all.slice(0, 3)) await warmUpServerForListBench(server, list)
  const [first] = all
  await bare.ask(await fetchListBenchResponse(server, first!))
  for (const path of ['/string', '/buffer'])
    await warmUpServerForListBench({ port: bare.first as number }, { ...first!, path })
  const page = { what: 'page /, member', path: '/', who: await fetchBenchCookiesAndXsrfToken(server.url, 5) }
  for (const list of [...all, page] as ListBenchCase[]) {
    const micros = await compare(report, server, bare, list, settings)
    if (list.reader) feeds.push({ reader: list.reader, micros })
  }
  for (const kind of benchFolloweePostingFrequencyNames) reportFeedGrowth(report, kind, feeds)
  await Promise.all([server.stop(), bare.stop()])
  await whileLiked(report, community, settings)
}

/** Reports the ratio of the cost of a feed of many followed members to the cost of a feed of few. */
function reportFeedGrowth(
  report: BenchReportPrinter,
  kind: BenchFeedReaderIdAndFolloweeCount['kind'],
  feeds: readonly { reader: BenchFeedReaderIdAndFolloweeCount; micros: number }[],
) {
  const mine = feeds.filter(({ reader }) => reader.kind === kind)
  const [few, many] = [mine[0], mine.at(-1)]
  if (!few || !many || few === many) return
  const what = `feed of ${many.reader.followed} ${followed[kind]}, processor`
  report.add({
    what,
    ours: many.micros,
    theirs: few.micros,
    comparedWith: `of ${few.reader.followed}`,
    unit: 'µs',
    aim: CONSTANT_COST_RATIO_BENCH_THRESHOLD,
  })
}

const followed = { active: 'active', silent: 'silent', never: 'who never posted' }

export async function createListBenchCases(
  { url }: BenchServer,
  { readers }: BenchCommunity,
): Promise<ListBenchCase[]> {
  const [known, member] = [
    await fetchBenchCookiesAndXsrfToken(url),
    await fetchBenchCookiesAndXsrfToken(url, 5),
  ]
  const feeds = readers.map(async (reader) => {
    const what = `GET following, ${reader.followed} ${followed[reader.kind]}`
    return {
      what,
      path: '/api/posts/following',
      who: await fetchBenchCookiesAndXsrfToken(url, reader.id),
      reader,
      least: 0.35,
    }
  })
  return [
    { what: 'GET posts, visitor', path: '/api/posts', who: known, least: 0.7 },
    { what: 'GET posts, visitor’s first', path: '/api/posts' },
    { what: 'GET posts, member', path: '/api/posts', who: member, least: 0.35 },
    ...(await Promise.all(feeds)),
    { what: 'GET messages, member', path: '/api/messages/6', who: member },
    { what: 'GET notifications, member', path: '/api/notifications', who: member },
    { what: 'GET unread notifications, member', path: '/api/notifications/unread', who: member },
  ]
}

async function compare(
  report: BenchReportPrinter,
  server: BenchServer,
  bare: BenchWorker,
  list: ListBenchCase,
  settings: BenchSettings,
) {
  const answer = await fetchListBenchResponse(server, list)
  await bare.ask(answer)
  const ours = { ...server, list, path: list.path, length: answer.body.length }
  const theirs = { ...ours, port: bare.first as number, pid: bare.pid }
  const [app, text, buffer] = await measureListBenchContestantsInTurns(
    [ours, { ...theirs, path: '/string' }, { ...theirs, path: '/buffer' }],
    settings,
  )
  const after = await fetchListBenchResponse(server, list)
  if (!after.body.equals(answer.body))
    report.error(`${list.what} answers otherwise than it did before it was measured`)

  const { what, least } = list
  const [speed, work] = [
    { what, ours: app!.perSecond, unit: '/s' },
    { what: `${what}, processor`, ours: app!.micros, unit: 'µs' },
  ]
  const aim = least ? { aim: { least } } : {}
  report.add({
    ...speed,
    theirs: text!.perSecond,
    comparedWith: `node:http, ${answer.body.length} B`,
    ...aim,
  })
  report.add({ ...speed, theirs: buffer!.perSecond, comparedWith: 'node:http, Buffer' })
  report.add({
    ...work,
    theirs: text!.micros,
    comparedWith: 'node:http',
    ...(least && { aim: { most: 1 / least } }),
  })
  return app!.micros
}

/**
 * Requests a list `WARM.requests` times before the measurement, but for `WARM.seconds` at most. Node compiles
 * code that runs often, so the server that is measured first would look slow without these requests. A limit
 * in seconds alone would not be enough, because a busy machine answers fewer requests in a second.
 */
export async function warmUpServerForListBench({ port }: { port: number }, { path, who }: ListBenchCase) {
  const request = encodeBenchHttpRequest('GET', path, who ? { who } : {})
  const inTime = createSameBenchRequestFunctionForSeconds(WARM.seconds, request)
  let left = WARM.requests
  await measureConcurrentHttpRequestsPerSecond(port, {
    connections: CONNECTIONS,
    next: () => (left-- > 0 ? inTime() : null),
    status: 200,
  })
}

export interface ListBenchContestant {
  port: number
  pid: number
  list: ListBenchCase
  path: string
  /** The length in bytes that each response body must have; absent if the list may change meanwhile. */
  length?: number
}
/**
 * Measures the servers in turns. Each server first runs two times that are not counted. Returns for each
 * server the medians of all rounds: requests per second (`perSecond`), and microseconds of processor time per
 * request (`micros`).
 */
export async function measureListBenchContestantsInTurns(
  racers: readonly ListBenchContestant[],
  { rounds, seconds }: BenchSettings,
) {
  const ready: { racer: ListBenchContestant; connections: number }[] = []
  for (const racer of racers) {
    const { perSecond } = await slice(racer, 1, seconds)
    const connections = 1000 / perSecond > SLOW ? 2 : CONNECTIONS
    await slice(racer, connections, seconds)
    ready.push({ racer, connections })
  }
  return measureMediansInTurns(rounds, ready, ({ racer, connections }) => slice(racer, connections, seconds))
}

async function slice(
  { port, pid, list: { who }, path, length }: ListBenchContestant,
  connections: number,
  seconds: number,
) {
  const request = encodeBenchHttpRequest('GET', path, who ? { who } : {})
  const before = readCpuTimeOfProcess(pid)
  const expected = { status: 200, ...(length !== undefined && { length }) }
  const { requests, perSecond } = await measureConcurrentHttpRequestsPerSecond(port, {
    connections,
    next: createSameBenchRequestFunctionForSeconds(seconds, request),
    ...expected,
  })
  return { perSecond, micros: ((readCpuTimeOfProcess(pid) - before) * 1000) / requests }
}

/**
 * Measures some of the lists again: in turns without other requests, and while members like posts. Each like
 * empties the caches of lists.
 */
async function whileLiked(
  report: BenchReportPrinter,
  community: BenchCommunity,
  { rounds, seconds }: BenchSettings,
) {
  const writing = await startBenchServerAndCreateRowWriter(community)
  const all = await createListBenchCases(writing.server, community)
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
    await warmUpServerForListBench(writing.server, list)
    const [before, after] = await measureMediansInTurns(rounds, [calm, liked], (one) => one())
    const [what, contestant] = [`${list.what}, ${LIKES} likes a second`, 'undisturbed']
    report.add({
      what,
      ours: after!.perSecond,
      theirs: before!.perSecond,
      comparedWith: contestant,
      unit: '/s',
    })
    report.add({
      what: `${what}, processor`,
      ours: after!.micros,
      theirs: before!.micros,
      comparedWith: contestant,
      unit: 'µs',
    })
  }
  for (const line of writing.wrong()) report.error(line)
  await writing.stop()
}

/**
 * Requests a list once, and returns the response. The bench gives it to the node:http server, which repeats
 * it.
 */
export async function fetchListBenchResponse(
  { url }: BenchServer,
  { path, who }: ListBenchCase,
): Promise<FixedBareHttpResponse> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}${path}`, { headers: who ? { cookie: who.cookie } : {} }, resolve).on('error', reject)
  })
  if (answer.statusCode !== 200) throw new Error(`GET ${path} is answered with ${answer.statusCode}`)
  return { status: 200, headers: listHeadersNotAddedByNodeHttp(answer), body: await buffer(answer) }
}

/**
 * Returns the headers of a response as pairs, without those that node:http adds to every response by itself.
 */
export function listHeadersNotAddedByNodeHttp({ headersDistinct }: IncomingMessage) {
  const own = ['date', 'connection', 'keep-alive']
  const headers = Object.entries(headersDistinct).flatMap(([name, values]) =>
    values!.map((value): [string, string] => [name, value]),
  )
  return headers.filter(([name]) => !own.includes(name))
}
