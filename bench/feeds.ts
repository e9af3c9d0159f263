import { rmSync } from 'node:fs'
import { Agent, request as sendRequest } from 'node:http'
import { findRedisServerPath } from '#tests/programs.ts'
import { startTemporaryRedis } from '#tests/redis.ts'
import { startTemporaryPostgres } from '#tests/services.ts'
import { type BenchCookiesAndXsrfToken, fetchBenchCookiesAndXsrfToken } from './client.ts'
import type { BenchCommunity } from './community.ts'
import {
  type BenchFeedReaderIdAndFolloweeCount,
  benchFolloweePostingFrequencyNames,
} from './community-size.ts'
import { copyBenchCommunityToPostgres } from './postgres.ts'
import { type BenchServer, startBenchServer } from './processes.ts'
import {
  type BenchReportPrinter,
  type BenchSettings,
  computeMedian,
  measureMediansInTurns,
} from './report.ts'
import { copyBenchCommunity } from './writes.ts'

/** The number of posts in a round. After each of them, the feed is requested once. */
const POSTS = 30
/** The target for the time of a feed of many followed people, divided by that of a feed of few. */
const AIM = { most: 2 }

/**
 * Measures how long the first request for a feed takes after somebody has posted. Compares feeds of many
 * followed people with feeds of few, on SQLite and on PostgreSQL with Redis.
 */
export async function compareAndReportFeedsJustAfterPosts(
  report: BenchReportPrinter,
  community: BenchCommunity,
  settings: BenchSettings,
) {
  const folder = copyBenchCommunity(community)
  await compareOn(report, 'SQLite', community, settings, await startBenchServer(folder))
  rmSync(folder, { recursive: true })
  const postgres = findRedisServerPath() && (await startTemporaryPostgres())
  if (!postgres) return report.note('PostgreSQL is left out: it needs PostgreSQL and Redis.')
  const redis = await startTemporaryRedis()
  const copy = await copyBenchCommunityToPostgres(postgres.url, community)
  const env = { DATABASE_URL: copy.url, REDIS_URL: redis.url }
  await compareOn(report, 'PostgreSQL', community, settings, await startBenchServer(copy.folder, env))
  await Promise.all([postgres.stop(), redis.stop()])
  rmSync(copy.folder, { recursive: true })
}

interface FeedReader extends BenchFeedReaderIdAndFolloweeCount {
  who: BenchCookiesAndXsrfToken
}

async function compareOn(
  report: BenchReportPrinter,
  database: string,
  { readers }: BenchCommunity,
  { rounds }: BenchSettings,
  server: BenchServer,
) {
  // The author is a feed reader, because nobody follows these.
  const author = await fetchBenchCookiesAndXsrfToken(server.url, readers.at(-1)!.id)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const all = await Promise.all(
    readers.map(
      async (reader): Promise<FeedReader> => ({
        ...reader,
        who: await fetchBenchCookiesAndXsrfToken(server.url, reader.id),
      }),
    ),
  )
  /** Posts and reads the feed, again and again. Returns the median time of a reading in milliseconds. */
  const measure = async ({ who }: FeedReader) => {
    const times: number[] = []
    for (let n = 0; n < POSTS; n++) {
      await send(server.url, agent, 'POST', '/api/posts', author, { text: `Post ${n}` })
      const start = performance.now()
      await send(server.url, agent, 'GET', '/api/posts/following', who)
      times.push(performance.now() - start)
    }
    return { ms: computeMedian(times) }
  }
  for (const kind of benchFolloweePostingFrequencyNames) {
    const ofKind = all.filter((reader) => reader.kind === kind)
    const [few, many] = [ofKind[0], ofKind.at(-1)]
    if (!few || !many || few === many) continue
    for (const reader of [few, many]) await measure(reader)
    const [ours, theirs] = await measureMediansInTurns(rounds, [many, few], measure)
    report.add({
      what: `${database}: feed of ${many.followed} (${kind}) after a post`,
      ours: ours!.ms,
      theirs: theirs!.ms,
      comparedWith: `of ${few.followed}`,
      unit: 'ms',
      aim: AIM,
    })
  }
  agent.destroy()
  await server.stop()
}

/** Sends a request over the connection of the agent, and reads the response. Rejects if it is no success. */
const send = (
  url: string,
  agent: Agent,
  method: string,
  path: string,
  { cookie, token }: BenchCookiesAndXsrfToken,
  body?: object,
) =>
  new Promise<void>((resolve, reject) => {
    const headers = { cookie, 'x-xsrf-token': token, 'content-type': 'application/json' }
    const sent = sendRequest(`${url}${path}`, { method, agent, headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode! < 300) resolve()
        else reject(new Error(`${method} ${path} is answered with ${response.statusCode}`))
      })
    })
    sent.on('error', reject).end(body && JSON.stringify(body))
  })
