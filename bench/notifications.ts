import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_MENTIONS_PER_TEXT } from '#features/people/text-parts-contract.ts'
import { type BenchCookiesAndXsrfToken, fetchBenchCookiesAndXsrfToken } from './client.ts'
import type { BenchCommunity } from './community.ts'
import {
  fetchListBenchResponse,
  measureListBenchContestantsInTurns,
  warmUpServerForListBench,
} from './lists.ts'
import { insertNotificationBenchRows, NOTIFICATION_BENCH_CHAT_MEMBER_ID } from './notification-rows.ts'
import { type BenchServer, startBenchServer } from './processes.ts'
import {
  type BenchReportPrinter,
  type BenchSettings,
  CONSTANT_COST_RATIO_BENCH_THRESHOLD,
  measureMediansInTurns,
} from './report.ts'
import { copyBenchCommunity } from './writes.ts'

/** The numbers of members in the two groups to which a message is sent. */
const GROUPS = [5000, 2] as const
/** The number of messages in each of the chats that are opened. */
const MESSAGES = 10_000
/**
 * The number of posts that are sent before those whose time is measured, because Node compiles code that runs
 * often.
 */
const WARM = 20
/** The maximum number of milliseconds to wait until the table `push_items` has a row for each device. */
const PATIENCE = 120_000

/**
 * Compares four costs with those of a smaller case on the same server: to read the notifications of a member
 * with up to 100,000 notifications, to open a chat with reactions, to send a post with mentions, and to send
 * a message to 5,000 members with devices.
 */
export async function compareAndReportNotificationCosts(
  report: BenchReportPrinter,
  community: BenchCommunity,
  settings: BenchSettings,
) {
  const folder = copyBenchCommunity(community)
  const readers = [
    { id: 2, count: Math.min(100_000, community.size.posts) },
    { id: 3, count: 100 },
    { id: 4, count: 1 },
  ]
  const scene = insertNotificationBenchRows(folder, { readers, groups: GROUPS, messages: MESSAGES })
  const server = await startBenchServer(folder)
  const member = await fetchBenchCookiesAndXsrfToken(server.url, NOTIFICATION_BENCH_CHAT_MEMBER_ID)
  await compareReaders(report, server, readers, settings)
  await compareChats(report, server, member, scene, settings)
  await comparePosts(report, server, member, settings)
  await compareGroups(report, server, { folder, member, groups: scene.groups }, settings)
  await server.stop()
  rmSync(folder, { recursive: true })
}

const count = (n: number) => n.toLocaleString('en')

async function compareReaders(
  report: BenchReportPrinter,
  server: BenchServer,
  readers: readonly { id: number; count: number }[],
  settings: BenchSettings,
) {
  const people = await Promise.all(readers.map(({ id }) => fetchBenchCookiesAndXsrfToken(server.url, id)))
  for (const path of ['/api/notifications', '/api/notifications/unread', '/notifications']) {
    const [many, some, one] = await measureOnOneServer(
      server,
      people.map((who) => ({ path, who })),
      settings,
    )
    const what = `GET ${path} of ${count(readers[0]!.count)}, processor`
    const ours = { what, ours: many!, unit: 'µs' }
    report.add({ ...ours, theirs: some!, comparedWith: 'of 100', aim: CONSTANT_COST_RATIO_BENCH_THRESHOLD })
    report.add({ ...ours, theirs: one!, comparedWith: 'of 1' })
  }
}

async function compareChats(
  report: BenchReportPrinter,
  server: BenchServer,
  who: BenchCookiesAndXsrfToken,
  { reacted, plain }: { reacted: number; plain: number },
  settings: BenchSettings,
) {
  const listOf = async (chat: number) => {
    const path = `/api/group-messages/${chat}`
    const { body } = await fetchListBenchResponse(server, { what: path, path, who })
    const ids = (JSON.parse(body.toString()) as { id: number }[]).map(({ id }) => id)
    return [
      { path, who },
      { path: `/api/reactions?messages=${ids.slice(-50).join()}`, who },
      { path: `/group-chat/${chat}`, who },
    ]
  }
  const [withReactions, without] = [await listOf(reacted), await listOf(plain)]
  const parts = ['messages', 'reactions to 50 messages', 'page']
  for (const [n, part] of parts.entries()) {
    const [ours, theirs] = await measureOnOneServer(server, [withReactions[n]!, without[n]!], settings)
    report.add({
      what: `chat of ${count(MESSAGES)} messages: ${part}, processor`,
      ours: ours!,
      theirs: theirs!,
      comparedWith: 'without reactions',
      unit: 'µs',
      // Sets no target for the request for the reactions, because in the chat with reactions it counts three
      // rows for each message, and none in the other chat.
      ...(n !== 1 && { aim: CONSTANT_COST_RATIO_BENCH_THRESHOLD }),
    })
  }
}

/** Measures GET requests to one server in turns. Returns the microseconds of processor time of each. */
async function measureOnOneServer(
  server: BenchServer,
  requests: readonly { path: string; who: BenchCookiesAndXsrfToken }[],
  settings: BenchSettings,
) {
  const lists = requests.map(({ path, who }) => ({ what: path, path, who }))
  await warmUpServerForListBench(server, lists[0]!)
  const found = await measureListBenchContestantsInTurns(
    lists.map((list) => ({ ...server, list, path: list.path })),
    settings,
  )
  return found.map(({ micros }) => micros)
}

async function comparePosts(
  report: BenchReportPrinter,
  server: BenchServer,
  who: BenchCookiesAndXsrfToken,
  { rounds }: BenchSettings,
) {
  const mentions = Array.from({ length: MAX_MENTIONS_PER_TEXT }, (_, n) => `@member${n + 10}`).join(' ')
  const measure = (text: string) => measurePost(server, who, '/api/posts', { text }, 201)
  for (let n = 0; n < WARM; n++) await measure(n % 2 ? mentions : 'none')
  const [ours, theirs] = await measureMediansInTurns(rounds * 4, [mentions, 'none'], measure)
  report.add({
    what: `post that mentions ${MAX_MENTIONS_PER_TEXT} members, to the answer`,
    ours: ours!.ms,
    theirs: theirs!.ms,
    comparedWith: 'without mentions',
    unit: 'ms',
  })
}

/**
 * Measures the time from sending a message to the large group until each device of its members has a row in
 * `push_items`. In this time the server waits two seconds, so that an open page can mark the message as read.
 * Then measures the time until the server answers a message to each group. The order matters: all push
 * messages of the second measurement fail, and would delay the rows of the first one.
 */
async function compareGroups(
  report: BenchReportPrinter,
  server: BenchServer,
  { folder, member, groups }: { folder: string; member: BenchCookiesAndXsrfToken; groups: readonly number[] },
  { rounds }: BenchSettings,
) {
  const send = (group_id: number) =>
    measurePost(server, member, '/api/group-messages/send', { group_id, message: 'Good evening' }, 200)
  await send(groups[1]!)
  const what = `message to ${count(GROUPS[0])} members with devices`
  const db = new DatabaseSync(join(folder, 'engawa.db'), { readOnly: true })
  const start = performance.now()
  await send(groups[0]!)
  const { id } = db.prepare('select max(id) as id from messages').get() as { id: number }
  const rows = db.prepare(
    `select count(*) as count from push_items where kind = 'message' and subject_id = ?`,
  )
  const stored = () => (rows.get(id) as { count: number }).count
  while (stored() < GROUPS[0] - 1 && performance.now() - start < PATIENCE) await sleep(20)
  const ms = performance.now() - start
  if (stored() !== GROUPS[0] - 1) report.error(`${stored()} devices have the message in their queues`)
  db.close()
  report.add({ what: `${what}, to the last row of a device`, ours: ms, unit: 'ms' })
  const [ours, theirs] = await measureMediansInTurns(rounds, groups, send)
  report.add({
    what: `${what}, to the answer`,
    ours: ours!.ms,
    theirs: theirs!.ms,
    comparedWith: `to ${GROUPS[1]} members`,
    unit: 'ms',
  })
}

/**
 * Sends a POST request, and returns the time until its response, in milliseconds. Throws if the status is
 * another one.
 */
async function measurePost(
  { url }: BenchServer,
  { cookie, token }: BenchCookiesAndXsrfToken,
  path: string,
  body: object,
  status: number,
) {
  const start = performance.now()
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { cookie, 'x-xsrf-token': decodeURIComponent(token), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (answer.status !== status) throw new Error(`POST ${path} is answered with ${answer.status}: ${text}`)
  return { ms: performance.now() - start }
}
