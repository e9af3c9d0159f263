import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Rows } from './bare-sqlite.ts'
import { drive, inOrder, requestOf, type Visitor, visitor } from './client.ts'
import { benchFolder, type Community, chance } from './community.ts'
import { processorTime, type Server, serve, start } from './processes.ts'
import { median, type Report, type Settings } from './report.ts'

const CONNECTIONS = 64
const AIM = { least: 0.5 }
/** Likes or messages of a round before it is known how many fit its time. */
const FIRST = 100
const WRITERS = 200

/** How one kind of row is written: by the server, and by SQLite alone. */
interface Kind<Row> {
  what: string
  rows: readonly Row[]
  request: (row: Row) => Buffer
  bare: (rows: readonly Row[]) => Rows
  table: 'likes' | 'messages'
}

/** Durable writes through the whole path of HTTP, beside SQLite that commits the same rows; each on a copy of the community of its own. */
export async function writes(report: Report, community: Community, settings: Settings) {
  const [ours, theirs] = [copyOf(community), copyOf(community)]
  const server = await serve(ours)
  const bare = await start('bare-sqlite.ts', join(theirs, 'engawa.db'))
  const who = new Map<number, Visitor>()
  for (let id = 1; id <= Math.min(WRITERS, community.size.members); id++) who.set(id, await visitor(server.url, id))

  const likes: Kind<Like> = {
    what: 'POST like',
    rows: newLikes(community),
    request: ({ member, post }) => requestOf('POST', `/api/posts/${post}/like`, { who: who.get(member)! }),
    bare: (likes) => ({ likes }),
    table: 'likes',
  }
  const messages: Kind<Message> = {
    what: 'POST message',
    rows: newMessages(community),
    request: ({ member, other, body, client_id }) =>
      requestOf('POST', '/api/send-private-message', { who: who.get(member)!, body: { input: body, targetUserId: other, client_id } }),
    bare: (messages) => ({ messages }),
    table: 'messages',
  }
  const contest = { report, server, bare, file: join(ours, 'engawa.db'), settings }
  await compare(contest, likes)
  await compare(contest, messages)
  await Promise.all([server.stop(), bare.stop()])
  for (const folder of [ours, theirs]) rmSync(folder, { recursive: true })
}

export function copyOf({ file }: Community) {
  mkdirSync(benchFolder(), { recursive: true })
  const folder = mkdtempSync(join(benchFolder(), 'copy-'))
  copyFileSync(file, join(folder, 'engawa.db'))
  return folder
}

interface Like {
  member: number
  post: number
}
/** Pairs that are not there yet: posts are taken from all over the community. */
function newLikes({ file, size }: Community): Like[] {
  const random = chance(4)
  const db = new DatabaseSync(file, { readOnly: true })
  const known = db.prepare('select 1 from likes where post_id = ? and user_id = ?')
  const found = new Map<string, Like>()
  for (let tries = 0; tries < 100_000; tries++) {
    const one = { member: 1 + Math.floor(random() * Math.min(WRITERS, size.members)), post: 1 + Math.floor(random() * size.posts) }
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
/** In as many private chats as the writers have, one after the other. */
function newMessages({ file }: Community): Message[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const mine = db.prepare(
    `select m.conversation_id as conversation, m.user_id as member, o.user_id as other
     from members m join members o on o.conversation_id = m.conversation_id and o.user_id != m.user_id
     join conversations c on c.id = m.conversation_id where c.pair is not null and m.user_id <= ? order by m.conversation_id * 7919 % 104729`,
  )
  const chats = mine.all(WRITERS) as unknown as Omit<Message, 'client_id' | 'body'>[]
  db.close()
  return Array.from({ length: 100_000 }, (_, n) => ({
    ...chats[n % chats.length]!,
    client_id: `bench ${n}`,
    body: `Good evening, this is message ${n}: is anybody at the river tomorrow?`,
  }))
}

interface Contest {
  report: Report
  server: Server
  bare: Awaited<ReturnType<typeof start>>
  file: string
  settings: Settings
}

async function compare<Row>({ report, server, bare, file, settings }: Contest, { what, rows, request, bare: toBare, table }: Kind<Row>) {
  const before = countIn(file, table)
  const left = rows.values()
  let acknowledged = 0
  const ours = async (some: readonly Row[]) => {
    const requests = some.map(request)
    const processor = processorTime(server.pid)
    const done = await drive(server.port, { connections: CONNECTIONS, next: inOrder(requests), status: 200 })
    acknowledged += done.requests
    return { perSecond: done.perSecond, micros: ((processorTime(server.pid) - processor) * 1000) / done.requests }
  }
  const theirs = async (some: readonly Row[]) => {
    const processor = processorTime(bare.pid)
    const seconds = await bare.ask<number>(toBare(some))
    return { perSecond: some.length / seconds, micros: ((processorTime(bare.pid) - processor) * 1000) / some.length }
  }
  const take = (count: number) => [...left.take(count)]
  const first = take(FIRST)
  await theirs(first)
  const { perSecond } = await ours(first)
  const size = Math.min(Math.ceil(perSecond * settings.seconds * 2), Math.floor((rows.length - FIRST) / settings.rounds))

  const found = { ours: [] as Awaited<ReturnType<typeof ours>>[], theirs: [] as Awaited<ReturnType<typeof theirs>>[] }
  for (let round = 0; round < settings.rounds; round++) {
    const some = take(size)
    found.ours.push(await ours(some))
    found.theirs.push(await theirs(some))
  }
  const of = (name: 'perSecond' | 'micros') => ({
    ours: median(found.ours.map((one) => one[name])),
    theirs: median(found.theirs.map((one) => one[name])),
  })
  report.add({
    what: `${what}, ${CONNECTIONS} at a time`,
    ...of('perSecond'),
    contestant: 'SQLite, synchronous = full',
    unit: '/s',
    aim: AIM,
  })
  report.add({ what: `${what}, processor`, ...of('micros'), contestant: 'SQLite', unit: 'µs' })

  const stored = countIn(file, table) - before
  if (stored !== acknowledged) report.wrong(`${acknowledged} ${table} were acknowledged, and ${stored} are stored`)
}

/** Read beside the server, which goes on. Of likes, what the posts say must be the same. */
function countIn(file: string, table: 'likes' | 'messages') {
  const db = new DatabaseSync(file, { readOnly: true })
  const { n } = db.prepare(`select count(*) as n from ${table}`).get() as { n: number }
  const { told } = db.prepare('select sum(likes_count) as told from posts').get() as { told: number }
  db.close()
  if (table === 'likes' && told !== n) throw new Error(`There are ${n} likes, and the posts tell of ${told}`)
  return n
}
