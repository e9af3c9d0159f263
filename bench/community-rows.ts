import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { readersOf, type Size, usersOf } from './community-size.ts'
import { calendar, prose } from './community-texts.ts'
import { randomNumbers, skewed, some } from './random.ts'

/** The cookie of a member's session. */
export const sessionOf = (member: number) =>
  createHash('sha256').update(`session of ${member}`).digest('base64url')

export function people(db: DatabaseSync, size: Size) {
  const user = db.prepare(
    `insert into users (name, name_key, email, email_key, password_hash, bio, email_verified_at, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
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

export function follows(db: DatabaseSync, size: Size) {
  const random = randomNumbers(1)
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
    // The steps are even, from members who post the most to members who post the least.
    for (let n = 0; n < reader.followed; n++)
      row.run(reader.id, first + Math.floor((n * count) / reader.followed) + 1, at)
  }
}

export function posts(db: DatabaseSync, size: Size) {
  const random = randomNumbers(2)
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

const GROUPS = 30
const LARGEST_GROUP = 1000
/** Each member talks with the members whose ids are larger by these numbers. */
const APART = [1, 7, 31, 97, 211]

export function chats(db: DatabaseSync, size: Size) {
  const random = randomNumbers(3)
  const [texts, when] = [prose(random, 1000), calendar(size.messages)]
  const conversation = db.prepare(
    'insert into conversations (pair, name, created_by, created_at) values (?, ?, ?, ?)',
  )
  const member = db.prepare(
    `insert into members (conversation_id, user_id, added_by, written_to_at, created_at)
     values (?, ?, ?, ?, ?)`,
  )
  const message = db.prepare(
    `insert into messages (conversation_id, user_id, client_id, body, created_at)
     values (?, ?, ?, ?, ?)`,
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

/** Most members have read everything. Every tenth has not read the last twenty ids. */
export function lastRead(db: DatabaseSync) {
  db.exec(`
    update members set last_read_id = coalesce(
      (select id from messages m where m.conversation_id = members.conversation_id order by id + 0 desc limit 1)
        - case when (user_id + conversation_id) % 10 = 0 then 20 else 0 end, 0)`)
}
