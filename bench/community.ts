import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrations } from '#app.ts'
import { migrate } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'

/** How large a community is, in rows; `follows` is how many each member follows. */
export interface Size {
  /** They write, like and talk, few of them much and many of them little. */
  members: number
  /** They post now and then. */
  occasional: number
  /** They posted once, before anybody else did. */
  silent: number
  /** They never posted. */
  never: number
  posts: number
  likes: number
  messages: number
  follows: number
}

/** The others beside the thousand members are there so that one may follow 5,000 of a kind. */
const baseSize: Size = {
  members: 1000,
  occasional: 4000,
  silent: 5000,
  never: 500,
  posts: 100_000,
  likes: 1_000_000,
  messages: 300_000,
  follows: 50,
}

/** Each grows by itself, or `all` together. Likes and messages of a hundred times the posts would be 40 GB by themselves: they stop at ten times. */
const sizes = {
  all: (k: number) => ({
    members: baseSize.members * k,
    posts: baseSize.posts * k,
    likes: baseSize.likes * k,
    messages: baseSize.messages * k,
  }),
  posts: (k: number) => ({
    posts: baseSize.posts * k,
    likes: baseSize.likes * Math.min(k, 10),
    messages: baseSize.messages * Math.min(k, 10),
  }),
  members: (k: number) => ({ members: baseSize.members * k }),
  follows: (k: number) => ({ follows: baseSize.follows * k }),
}
export type Dimension = keyof typeof sizes
export const dimensions = ['posts', 'members', 'follows'] as const satisfies Dimension[]
export const grown = (dimension: Dimension, factor: number): Size => ({
  ...baseSize,
  ...sizes[dimension](factor),
})

export const kinds = ['active', 'silent', 'never'] as const
type Kind = (typeof kinds)[number]
/** Somebody who follows so many of one kind, and nobody else. */
export interface Reader {
  id: number
  followed: number
  kind: Kind
}

export interface Community {
  folder: string
  file: string
  size: Size
  readers: readonly Reader[]
  /** Whether this run made the community; false where an earlier run did. */
  isNew: boolean
}

/** Where communities, and what a run works on, are kept: on the file system that is measured. */
export function benchFolder() {
  const folder = process.env.BENCH_DIR ?? join(tmpdir(), 'engawa-bench')
  mkdirSync(folder, { recursive: true })
  return folder
}

/**
 * Says in a sentence how much disk space is missing for a community and for the copy that the bench writes
 * to. Null where there is enough.
 */
export function missingRoom({ members, posts, likes, messages, follows }: Size) {
  const needed = 2 * (posts * 330 + likes * 75 + messages * 350 + members * (follows * 60 + 3000))
  const { bavail, bsize } = statfsSync(benchFolder())
  const gigabytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GB`
  return needed < bavail * bsize
    ? null
    : `it takes ${gigabytes(needed)}, and ${benchFolder()} has ${gigabytes(bavail * bsize)}`
}

/** The cookie of a member's session. */
export const sessionOf = (member: number) =>
  createHash('sha256').update(`session of ${member}`).digest('base64url')

/**
 * Opens the community of a size, in a folder of its own. Makes it where it does not exist yet, which takes
 * seconds for each million rows.
 */
export async function community(size: Size, parent = join(benchFolder(), 'communities')): Promise<Community> {
  const version = createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .update(migrations.map(Object.keys).join())
    .digest('hex')
    .slice(0, 8)
  const folder = join(parent, `${Object.values(size).join('-')}-${version}`)
  const isNew = !existsSync(folder)
  if (isNew) {
    mkdirSync(parent, { recursive: true })
    const making = mkdtempSync(join(parent, 'making-'))
    await make(join(making, 'engawa.db'), size)
    renameSync(making, folder)
  }
  const file = join(folder, 'engawa.db')
  refreshSessions(file)
  return { folder, file, size, readers: readersOf(size), isNew }
}

/** Refreshes all sessions, so that no answer renews a cookie. */
function refreshSessions(file: string) {
  const db = new DatabaseSync(file)
  db.prepare('update sessions set refreshed_at = ?').run(new Date().toISOString())
  db.close()
}

async function make(file: string, size: Size) {
  const database = openSqlite(file)
  await migrate(database.db, migrations)
  await database.close()
  const db = new DatabaseSync(file)
  db.exec(
    `pragma journal_mode = off; pragma synchronous = off; pragma foreign_keys = off;
     pragma cache_size = -500000; pragma temp_store = memory; pragma threads = 2`,
  )
  const indexes = db
    .prepare("select name, sql from sqlite_master where type = 'index' and sql is not null")
    .all() as {
    name: string
    sql: string
  }[]
  for (const { name } of indexes) db.exec(`drop index "${name}"`)
  for (const fill of [people, follows, posts, chats]) {
    db.exec('begin')
    fill(db, size)
    db.exec('commit')
  }
  for (const { sql } of indexes) db.exec(sql)
  lastRead(db)
  db.exec('pragma journal_mode = wal')
  db.close()
}

// ── Chance ──────────────────────────────────────────────────────────────────

/** The same numbers each time (mulberry32), from 0 to 1. */
export function chance(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Below `n`, the first ones by far the most often: the first hundredth has a fifth of it all. */
const skewed = (random: () => number, n: number) => Math.floor(n * random() ** 3)

/** So many different numbers below `n`, by strides that do not meet. */
function* some(random: () => number, count: number, n: number) {
  const stride = [7919, 104_729, 611_953, 15_485_863].find((prime) => n % prime !== 0)!
  let at = Math.floor(random() * n)
  for (let left = Math.min(count, n); left > 0; left--) {
    yield at
    at = (at + stride) % n
  }
}

const words = {
  en: 'the morning tea was still warm when rain began over quiet hills and someone called from the garden about bread lemons and a letter that came late'.split(
    ' ',
  ),
  ja: [
    '今日は',
    '庭の',
    '花が',
    'きれいに',
    '咲いて',
    'いました。',
    '駅前の',
    'パン屋さんで',
    '友だちと',
    '会って、',
    'お茶を',
    '飲みながら',
    'ゆっくり',
    '話しました。',
  ],
}

/** Texts of a few words up to `longest` characters, one in three of them Japanese. */
function prose(random: () => number, longest: number): string[] {
  return Array.from({ length: 2000 }, (_, n) => {
    const [list, gap] = n % 3 ? [words.en, ' '] : [words.ja, '']
    const length = 3 + Math.floor(120 * random() ** 3)
    const text = Array.from({ length }, () => list[Math.floor(random() * list.length)]).join(gap)
    return text.slice(0, longest)
  })
}

const YEARS = 3 * 365 * 24 * 3600 * 1000
/** Three years until now, in even steps. */
const calendar = (steps: number) => {
  const end = Date.UTC(2026, 10, 1)
  return (step: number) => new Date(end - YEARS + Math.floor((YEARS * step) / steps)).toISOString()
}

// ── People ──────────────────────────────────────────────────────────────────
// Ids: members, then the occasional, the silent, those who never posted, and the readers.

const usersOf = ({ members, occasional, silent, never }: Size) => members + occasional + silent + never
const FOLLOWED = [50, 500, 5000]

function readersOf(size: Size): Reader[] {
  const there = { active: size.members + size.occasional, silent: size.silent, never: size.never }
  const wanted = kinds.flatMap((kind) =>
    FOLLOWED.filter((followed) => followed <= there[kind]).map((followed) => ({ kind, followed })),
  )
  return wanted.map((reader, n) => ({ id: usersOf(size) + 1 + n, ...reader }))
}

function people(db: DatabaseSync, size: Size) {
  const user = db.prepare(
    'insert into users (name, name_key, email, email_key, password_hash, bio, email_verified_at, created_at) values (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const session = db.prepare(
    'insert into sessions (token_hash, user_id, created_at, refreshed_at) values (?, ?, ?, ?)',
  )
  const start = calendar(1)(0)
  const readers = readersOf(size).map(({ id }) => id)
  const logIn = (id: number) =>
    session.run(createHash('sha256').update(sessionOf(id)).digest('hex'), id, start, start)
  for (let id = 1; id <= usersOf(size) + readers.length; id++) {
    const [name, email] = [id % 3 ? `Member ${id}` : `会員 ${id}`, `member-${id}@example.com`]
    user.run(name, name.toLowerCase(), email, email, 'none', null, start, start)
    if (id <= Math.min(size.members, 1000)) logIn(id)
  }
  for (const id of readers) logIn(id)
  db.prepare('insert into admins (user_id, created_at) values (1, ?)').run(start)
}

function follows(db: DatabaseSync, size: Size) {
  const random = chance(1)
  const row = db.prepare('insert into follows (follower_id, followed_id, created_at) values (?, ?, ?)')
  const at = calendar(1)(1)
  const others = size.members + size.occasional + size.silent
  for (let id = 1; id <= size.members; id++)
    for (const other of some(random, size.follows, others)) if (other + 1 !== id) row.run(id, other + 1, at)
  const kind = {
    active: [0, size.members + size.occasional],
    silent: [size.members + size.occasional, size.silent],
    never: [others, size.never],
  } as const
  for (const reader of readersOf(size)) {
    const [first, count] = kind[reader.kind]
    // Evenly, from those who post the most to those who post the least.
    for (let n = 0; n < reader.followed; n++)
      row.run(reader.id, first + Math.floor((n * count) / reader.followed) + 1, at)
  }
}

// ── Posts ───────────────────────────────────────────────────────────────────

function posts(db: DatabaseSync, size: Size) {
  const random = chance(2)
  const [texts, when] = [prose(random, 1000), calendar(size.posts)]
  const post = db.prepare('insert into posts (user_id, body, created_at, likes_count) values (?, ?, ?, ?)')
  const like = db.prepare('insert into likes (post_id, user_id, created_at) values (?, ?, ?)')
  const counts = likesOf(random, size)
  for (let id = 1; id <= size.posts; id++) {
    const at = when(id)
    post.run(authorOf(random, size, id), texts[Math.floor(random() * texts.length)]!, at, counts[id - 1]!)
    for (const liker of [...some(random, counts[id - 1]!, size.members)].sort((a, b) => a - b))
      like.run(id, liker + 1, at)
  }
}

function authorOf(random: () => number, { members, occasional, silent }: Size, id: number) {
  if (id <= silent) return members + occasional + id
  if (id % 10 === 0) return members + ((id / 10) % occasional) + 1
  return skewed(random, members) + 1
}

/**
 * The number of likes of each post. Everybody likes a few posts, and some people like most posts (Pareto).
 * The sum is exactly the number of likes that the size asks for.
 */
function likesOf(random: () => number, { posts, likes, members }: Size) {
  const counts = Uint32Array.from({ length: posts }, () =>
    Math.min(members, Math.floor(likes / posts / 2 / Math.sqrt(random() || 1))),
  )
  let missing = likes - counts.reduce((sum, count) => sum + count, 0)
  while (missing) {
    const n = Math.floor(random() * posts)
    const step = Math.sign(missing)
    if (counts[n]! + step < 0 || counts[n]! + step > members) continue
    counts[n]! += step
    missing -= step
  }
  return counts
}

// ── Chat ────────────────────────────────────────────────────────────────────

const GROUPS = 30
const LARGEST_GROUP = 1000
/** Each member talks with those who are so many places further. */
const APART = [1, 7, 31, 97, 211]

function chats(db: DatabaseSync, size: Size) {
  const random = chance(3)
  const [texts, when] = [prose(random, 1000), calendar(size.messages)]
  const conversation = db.prepare(
    'insert into conversations (pair, name, created_by, created_at) values (?, ?, ?, ?)',
  )
  const member = db.prepare(
    'insert into members (conversation_id, user_id, added_by, written_to_at, created_at) values (?, ?, ?, ?, ?)',
  )
  const message = db.prepare(
    'insert into messages (conversation_id, user_id, client_id, body, created_at) values (?, ?, ?, ?, ?)',
  )
  const start = when(0)
  const open = (pair: string | null, name: string | null, who: number[]) => {
    const id = Number(conversation.run(pair, name, who[0]!, start).lastInsertRowid)
    for (const one of who) member.run(id, one, pair ? null : 1, pair ? start : null, start)
    return { id, who }
  }
  const pairs = pairsOf(size).map(([a, b]) => open(`${a}.${b}`, null, [a, b]))
  const groups = Array.from({ length: GROUPS }, (_, n) => {
    const count = Math.max(2, Math.floor(Math.min(size.members, LARGEST_GROUP) / (n + 1)))
    return open(
      null,
      `Group ${n + 1}`,
      [...some(random, count, size.members)].map((one) => one + 1).sort((a, b) => a - b),
    )
  })
  for (let n = 1; n <= size.messages; n++) {
    const { id, who } =
      n % 10 < 3 ? groups[skewed(random, groups.length)]! : pairs[skewed(random, pairs.length)]!
    message.run(
      id,
      who[Math.floor(random() * who.length)]!,
      `message ${n}`,
      texts[Math.floor(random() * texts.length)]!,
      when(n),
    )
  }
}

/** The pairs of members who talk with each other, the smaller id first. */
export function pairsOf({ members }: Size): [number, number][] {
  const known = new Map<string, [number, number]>()
  for (const apart of APART)
    for (let a = 0; a < members; a++) {
      const b = (a + apart) % members
      const pair: [number, number] = [Math.min(a, b) + 1, Math.max(a, b) + 1]
      if (a !== b) known.set(pair.join('.'), pair)
    }
  return [...known.values()]
}

/** Most have read it all; every tenth has not read the last twenty ids. */
function lastRead(db: DatabaseSync) {
  db.exec(`
    update members set last_read_id = coalesce(
      (select id from messages m where m.conversation_id = members.conversation_id order by id + 0 desc limit 1)
        - case when (user_id + conversation_id) % 10 = 0 then 20 else 0 end, 0)`)
}
