import { setTimeout as sleep } from 'node:timers/promises'
import { withoutRoles } from '#core/context.ts'
import * as read from '#features/search/read.ts'
import { cookies, send, type Who } from './client.ts'
import { openCommunity } from './community.ts'
import type { Copy, Store } from './copies.ts'
import type { Server } from './processes.ts'
import type { Report, Settings } from './report.ts'
import { openApp } from './search-app.ts'
import { measureFill, measurePurge, percentile, time, twin } from './search-index.ts'
import { type Everything, type Question, questions, readAll, scan } from './search-queries.ts'
import { insertTexts, searchers, sizeAt } from './search-rows.ts'
import { measureWrites } from './search-writes.ts'

const LIMIT = 20
/** Hits that are compared at most, and pages that are read for them. */
const COMPARED = { hits: 200, pages: 30 }
/** How often each query is asked. The least time counts, because the machine does other things too. */
const ROUNDS = 3
/** How long somebody searches as fast as possible while others send messages, in ms. */
const FAST = 5000
const aim = { p50: { most: 2 }, p95: { most: 20 }, worst: { most: 100 }, wait: { most: 50 } }
/** As many of the slowest queries are named. */
const SLOWEST = 5

/**
 * Searches a million messages and a tenth as many posts (times `--scale`) in the name of members who see all or
 * some of them, beside a program that reads every text.
 */
export async function measureSearch(report: Report, settings: Settings, store: Store) {
  const size = sizeAt(settings.scale)
  const community = await openCommunity(size.community)
  const copy = await store.copy(community)
  const seconds = (await time(() => insertTexts(copy, size))) / 1000
  const [messages, posts] = [size.messages, size.posts].map((count) => count.toLocaleString('en'))
  report.note(`${messages} messages and ${posts} posts, made in ${seconds.toFixed(0)} s.`)
  const bare = await twin(community, copy, store)
  await measureFill(report, copy, size.messages + size.posts)
  const asked = await measureFunction(report, copy, store)
  await measureHttp(report, copy, asked)
  await measureWrites(report, settings, { ours: copy, bare, store })
  if (!copy.url) await measurePurge(report, copy)
}

type Viewer = ReturnType<typeof withoutRoles>

/** Without HTTP. Resolves to what was asked. */
async function measureFunction(report: Report, copy: Copy, store: Store) {
  const { context, close } = await openApp(copy)
  const viewerOf = (id: number) => withoutRoles(context, id)
  const everything = await readAll(context.db)
  const asked = questions(everything)
  await compareAll(report, everything, asked, viewerOf)
  for (const { id, sees } of searchers) {
    const viewer = viewerOf(id)
    const [before, database] = [process.cpuUsage(), store.cpuTime()]
    await measureTimes(report, `search by who sees ${sees * 100} %`, asked, ({ q }) =>
      read.list(viewer, { q, limit: LIMIT }),
    )
    const { user, system } = process.cpuUsage(before)
    const each = (ms: number) => ms / (asked.length * ROUNDS)
    report.add({ what: '  processor, mean', ours: each((user + system) / 1000), unit: 'ms' })
    if (copy.url)
      report.add({ what: '  PostgreSQL, mean', ours: each(store.cpuTime() - database), unit: 'ms' })
  }
  await close()
  return asked
}

async function measureTimes(
  report: Report,
  what: string,
  asked: readonly Question[],
  ask: (question: Question) => Promise<unknown>,
) {
  const times: { question: Question; ms: number }[] = []
  for (const question of asked) {
    let ms = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS; round++) ms = Math.min(ms, await time(() => ask(question)))
    times.push({ question, ms })
  }
  const all = times.map(({ ms }) => ms)
  report.add({ what: `${what}, p50`, ours: percentile(all, 0.5), unit: 'ms', aim: aim.p50 })
  report.add({ what: `${what}, p95`, ours: percentile(all, 0.95), unit: 'ms', aim: aim.p95 })
  report.add({ what: `${what}, worst`, ours: Math.max(...all), unit: 'ms', aim: aim.worst })
  const slowest = times
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST)
    .map(({ question, ms }) => `${question.q} (${question.what}) ${ms.toFixed(0)} ms`)
  report.note(`  slowest: ${slowest.join('; ')}`)
}

async function compareAll(
  report: Report,
  everything: Everything,
  asked: readonly Question[],
  viewerOf: (id: number) => Viewer,
) {
  const counts = { right: 0, wrong: 0 }
  for (const question of asked)
    for (const kind of ['message', 'post'] as const) {
      const { ids, texts, seen } = everything[kind]
      const places = scan(everything[kind], question)
      for (const { id } of searchers) {
        const found = await hits(viewerOf(id), kind, question.q)
        const right = places.flatMap((at) => (seen.get(id)![at] && ids[at]! >= found.end ? ids[at]! : []))
        const expected = right.slice(0, Math.max(found.ids.length, COMPARED.hits))
        const wrong = [...new Set(expected).symmetricDifference(new Set(found.ids))]
        counts.right += expected.length
        counts.wrong += wrong.length
        const what = `${kind} “${question.q}” by ${id}`
        if (wrong.length)
          report.error(
            `${what}: ${wrong.length} are missing or too many, such as ${wrong[0]}: ${texts[ids.indexOf(wrong[0]!)]}`,
          )
        else if (`${found.ids}` !== `${expected}`) report.error(`${what}: another order`)
      }
    }
  const ours = 100 * (1 - counts.wrong / Math.max(counts.right, 1))
  report.add({ what: `${asked.length} queries find what a scan finds`, ours, unit: '%', aim: { least: 100 } })
}

/** The newest ones, and the id down to which all are known. */
async function hits(viewer: Viewer, kind: 'message' | 'post', q: string) {
  const ids: number[] = []
  let cursor: Record<string, number> | null = {}
  for (let page = 0; cursor && ids.length < COMPARED.hits && page < COMPARED.pages; page++) {
    const input: read.ListInput = { q, kind, limit: 100, ...cursor }
    const { body, next } = await read.list(viewer, input)
    ids.push(...body.map(({ id }) => id))
    cursor = next as Record<string, number> | null
  }
  return { ids, end: cursor?.[`before_${kind}`] ?? 0 }
}

async function measureHttp(report: Report, copy: Copy, asked: readonly Question[]) {
  const server = await copy.startServer()
  const who = await cookies(server.url, searchers[0].id)
  for (const { q } of asked.slice(0, 50)) await search(server, who, q)
  await measureTimes(report, 'search over HTTP by who sees 100 %', asked, ({ q }) => search(server, who, q))
  await measureOthers(report, server, who)
  await server.stop()
}

/** What others’ messages wait for while one member searches, beside the same member reading posts. */
async function measureOthers(report: Report, server: Server, who: Who) {
  const others = await Promise.all(Array.from({ length: 10 }, (_, n) => cookies(server.url, 5 + n)))
  const during = async (ask: () => Promise<unknown>) => {
    let [isOver, count] = [false, 0]
    const asking = (async () => {
      for (; !isOver; count++) await ask()
    })()
    const times = await sendMessages(server, others, FAST)
    isOver = true
    await asking
    return { times, perSecond: count / (FAST / 1000) }
  }
  const reading = await during(() => send(server.url, who, 'GET', '/api/posts'))
  const searching = await during(() => search(server, who, 'の'))
  report.add({ what: 'one member searches for の', ours: searching.perSecond, unit: '/s' })
  for (const [name, part] of [
    ['p50', 0.5],
    ['p95', 0.95],
  ] as const) {
    const [ours, theirs] = [percentile(searching.times, part), percentile(reading.times, part)]
    const what = `  others’ messages wait, ${name}`
    report.add({ what, ours, theirs, beside: 'during GET /api/posts', unit: 'ms' })
  }
  const longest = Math.max(...searching.times)
  report.add({ what: '  the longest wait', ours: longest, unit: 'ms', aim: aim.wait })
}

async function search({ url }: Server, who: Who, q: string) {
  const answer = await fetch(`${url}/api/search?limit=${LIMIT}&q=${encodeURIComponent(q)}`, {
    headers: { cookie: who.cookie },
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`A search for ${q} is answered with ${answer.status}: ${text}`)
}

/** Each of these members to the next one, one message after the other. Resolves to the waiting times. */
async function sendMessages({ url }: Server, people: readonly Who[], ms: number) {
  const times: number[] = []
  const end = performance.now() + ms
  for (let n = 0; performance.now() < end; n++) {
    const from = n % people.length
    const body = { input: `明日の会議 ${n}`, targetUserId: from + 6 }
    times.push(await time(() => send(url, people[from]!, 'POST', '/api/send-private-message', body)))
    await sleep(10)
  }
  return times
}
