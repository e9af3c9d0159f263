import { constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type BenchCookiesAndXsrfToken,
  createNextBenchRequestFunctionFromList,
  encodeBenchHttpRequest,
  fetchBenchCookiesAndXsrfToken,
  measureConcurrentHttpRequestsPerSecond,
} from './client.ts'
import { type BenchCommunity, ensureBenchRootFolder } from './community.ts'
import { readCpuTimeOfProcess, startBenchServer, startBenchWorker } from './processes.ts'
import { createSeededRandomFunction } from './random.ts'
import { type BenchReportPrinter, type BenchSettings, measureMediansInTurns } from './report.ts'

const CONNECTIONS = 64
const AIM = { least: 0.5 }
/** The number of rows of each call of `write` before the first round. */
const FIRST = 200
/**
 * The number of seconds for which rows are written before the first round. Node compiles code that runs
 * often, and the speed of these writes decides how many rows to write in a round.
 */
const WARM = 2
const WRITERS = 200
/** The maximum number of rows of each table that are generated in memory, before the bench writes them. */
const ROWS = 100_000

/** The data of a row to write, by its table, with everything that the server and bare SQLite need. */
interface Rows {
  likes: Like
  messages: Message
}
type Table = keyof Rows

/**
 * Measures durable writes through HTTP, and compares them with a program without a server that commits the
 * same rows to SQLite. Each of the two has its own copy of the community.
 */
export async function compareAndReportWritesWithBareSqlite(
  report: BenchReportPrinter,
  community: BenchCommunity,
  settings: BenchSettings,
) {
  const writing = await startBenchServerAndCreateRowWriter(community)
  const theirs = copyBenchCommunity(community)
  const bare = await startBenchWorker('bare-sqlite.ts', join(theirs, 'engawa.db'))
  const alone = async (table: Table, rows: readonly Rows[Table][]) => {
    const before = readCpuTimeOfProcess(bare.pid)
    const seconds = await bare.ask<number>({ [table]: rows })
    return {
      perSecond: rows.length / seconds,
      micros: ((readCpuTimeOfProcess(bare.pid) - before) * 1000) / rows.length,
    }
  }
  for (const table of ['likes', 'messages'] as const) {
    const count = await writing.fitting(table, settings)
    await alone(table, writing.take(table, FIRST))
    let rows: Rows[Table][] = []
    const both = [
      () => writing.write(table, (rows = writing.take(table, count))),
      // Commits to SQLite the same rows that the server has just written.
      () => alone(table, rows),
    ]
    const [app, sqlite] = await measureMediansInTurns(settings.rounds, both, (one) => one())
    const what = `POST ${table.slice(0, -1)}, ${CONNECTIONS} at a time`
    const speed = { ours: app!.perSecond, theirs: sqlite!.perSecond, unit: '/s', aim: AIM }
    report.add({ what, comparedWith: 'SQLite, synchronous=full', ...speed })
    report.add({
      what: `${what}, processor`,
      ours: app!.micros,
      theirs: sqlite!.micros,
      comparedWith: 'SQLite',
      unit: 'µs',
    })
  }
  for (const line of writing.wrong()) report.error(line)
  await bare.stop()
  await writing.stop()
  rmSync(theirs, { recursive: true })
}

/**
 * Starts a server on a copy of a community, with logged-in members. Returns functions that take new rows,
 * write likes and messages through HTTP, and check what was stored.
 */
export async function startBenchServerAndCreateRowWriter(community: BenchCommunity) {
  const folder = copyBenchCommunity(community)
  const file = join(folder, 'engawa.db')
  const server = await startBenchServer(folder)
  const who = new Map<number, BenchCookiesAndXsrfToken>()
  for (let id = 1; id <= Math.min(WRITERS, community.size.members); id++)
    who.set(id, await fetchBenchCookiesAndXsrfToken(server.url, id))
  const rows: { [T in Table]: Rows[T][] } = { likes: newLikes(community), messages: newMessages(community) }
  const requests = {
    likes: ({ member, post }: Like) =>
      encodeBenchHttpRequest('POST', `/api/posts/${post}/like`, { who: who.get(member)! }),
    messages: ({ member, other: targetUserId, body: input, client_id }: Message) =>
      encodeBenchHttpRequest('POST', '/api/send-private-message', {
        who: who.get(member)!,
        body: { input, targetUserId, client_id },
      }),
  }
  const before = countIn(file)
  const acknowledged = { likes: 0, messages: 0 }
  const take = (table: Table, count: number): Rows[Table][] => rows[table].splice(0, count)

  async function write(table: Table, some: readonly Rows[Table][]) {
    const lines = some.map((row) => requests[table](row as Like & Message))
    const processor = readCpuTimeOfProcess(server.pid)
    const done = await measureConcurrentHttpRequestsPerSecond(server.port, {
      connections: CONNECTIONS,
      next: createNextBenchRequestFunctionFromList(lines),
      status: 200,
    })
    acknowledged[table] += done.requests
    return {
      perSecond: done.perSecond,
      micros: ((readCpuTimeOfProcess(server.pid) - processor) * 1000) / done.requests,
    }
  }
  return {
    server,
    take,
    write,
    /**
     * Writes rows for WARM seconds before the first round. Returns how many rows to write in each round, by
     * the speed of these writes.
     */
    async fitting(table: Table, { rounds, seconds }: BenchSettings) {
      let perSecond = 0
      for (const end = performance.now() + WARM * 1000; performance.now() < end; )
        ({ perSecond } = await write(table, take(table, FIRST)))
      return Math.min(Math.ceil(perSecond * seconds * 2), Math.floor(ROWS / 2 / rounds))
    },
    /**
     * Returns a line of text for each table that has more or fewer rows than the server acknowledged, and a
     * line if the like counts in the rows of the posts differ from the stored likes.
     */
    wrong() {
      const after = countIn(file)
      const lines = (['likes', 'messages'] as const).flatMap((table) => {
        const stored = after[table] - before[table]
        return stored === acknowledged[table]
          ? []
          : `${acknowledged[table]} ${table} were acknowledged, and ${stored} are stored`
      })
      return after.likesOfPosts === after.likes
        ? lines
        : [...lines, `There are ${after.likes} likes, and the posts tell of ${after.likesOfPosts}`]
    },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

const copies = new Set<string>()
process.once('exit', () => {
  for (const folder of copies) rmSync(folder, { recursive: true, force: true })
})

/**
 * Copies a bench community to a new folder, so that it can be changed, and returns the path of the folder.
 * The copy is deleted when this process ends.
 */
export function copyBenchCommunity({ file }: BenchCommunity) {
  const folder = mkdtempSync(join(ensureBenchRootFolder(), 'copy-'))
  copies.add(folder)
  copyFileSync(file, join(folder, 'engawa.db'), constants.COPYFILE_FICLONE)
  return folder
}

interface Like {
  member: number
  post: number
}
/**
 * Returns likes that do not exist yet, as pairs of member and post. The posts are random posts of the whole
 * community.
 */
function newLikes({ file, size }: BenchCommunity): Like[] {
  const random = createSeededRandomFunction(4)
  const db = new DatabaseSync(file, { readOnly: true })
  const known = db.prepare('select 1 from likes where post_id = ? and user_id = ?')
  const found = new Map<string, Like>()
  for (let tries = 0; tries < ROWS; tries++) {
    const one = {
      member: 1 + Math.floor(random() * Math.min(WRITERS, size.members)),
      post: 1 + Math.floor(random() * size.posts),
    }
    if (!known.get(one.post, one.member)) found.set(`${one.member} ${one.post}`, one)
  }
  db.close()
  return [...found.values()]
}

interface Message {
  member: number
  other: number
  conversation: number
  client_id: string
  body: string
}
/** Returns new messages for the private chats of the members who write, one for each chat in turn. */
function newMessages({ file }: BenchCommunity): Message[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const mine = db.prepare(
    `select m.conversation_id as conversation, m.user_id as member, o.user_id as other
     from conversation_members m
     join conversation_members o on o.conversation_id = m.conversation_id and o.user_id != m.user_id
     join conversations c on c.id = m.conversation_id
     where c.pair is not null and m.user_id <= ? order by m.conversation_id * 7919 % 104729`,
  )
  const chats = mine.all(WRITERS) as unknown as Omit<Message, 'client_id' | 'body'>[]
  db.close()
  return Array.from({ length: ROWS }, (_, n) => ({
    ...chats[n % chats.length]!,
    client_id: `bench ${n}`,
    body: `Good evening, this is message ${n}: is anybody at the river tomorrow?`,
  }))
}

/**
 * Returns the numbers of rows in the database of the running server. `likesOfPosts` is the sum of the like
 * counts in the rows of the posts.
 */
function countIn(file: string) {
  const db = new DatabaseSync(file, { readOnly: true })
  const counts = db.prepare(
    `select (select count(*) from likes) as likes, (select count(*) from messages) as messages,
       (select sum(likes_count) from posts) as "likesOfPosts"`,
  )
  const found = counts.get() as { likes: number; messages: number; likesOfPosts: number }
  db.close()
  return found
}
