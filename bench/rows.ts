import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { nameSkeleton } from '#features/people/handles.ts'
import { distinctNumbers, pickSkewed, seededRandom } from './random.ts'
import { beforeReaders, feedReaders, type Size } from './sizes.ts'

const words = {
  en: (
    'the morning tea was still warm when rain began over quiet hills and someone ' +
    'called from the garden about bread lemons and a letter that came late'
  ).split(' '),
  ja: (
    '今日は 庭の 花が きれいに 咲いて いました。 駅前の パン屋さんで ' +
    '友だちと 会って、 お茶を 飲みながら ゆっくり 話しました。'
  ).split(' '),
}

/** Two thousand texts of a few words or more. Every third one is Japanese. */
function randomTexts(random: () => number): string[] {
  return Array.from({ length: 2000 }, (_, n) => {
    const [list, gap] = n % 3 ? [words.en, ' '] : [words.ja, '']
    const length = 3 + Math.floor(120 * random() ** 3)
    const text = Array.from({ length }, () => list[Math.floor(random() * list.length)]).join(gap)
    return text.slice(0, 1000)
  })
}

const YEARS = 3 * 365 * 24 * 3600 * 1000
/** Spreads the times of rows evenly over three years, by their numbers up to `steps`. */
const evenTimes = (steps: number) => {
  const end = Date.UTC(2026, 10, 1)
  return (step: number) => new Date(end - YEARS + Math.floor((YEARS * step) / steps)).toISOString()
}

/** The token of a member's session, always the same. */
export const sessionToken = (member: number) =>
  createHash('sha256').update(`session of ${member}`).digest('base64url')

export function insertUsers(db: DatabaseSync, size: Size) {
  const user = db.prepare(
    `insert into users
       (name, name_key, handle, name_skeleton, email, email_key, password_hash, bio, email_verified_at,
        created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const session = db.prepare(
    'insert into sessions (token_hash, user_id, created_at, refreshed_at) values (?, ?, ?, ?)',
  )
  const start = evenTimes(1)(0)
  const readers = feedReaders(size).map(({ id }) => id)
  const logIn = (id: number) =>
    session.run(createHash('sha256').update(sessionToken(id)).digest('hex'), id, start, start)
  for (let id = 1; id <= beforeReaders(size) + readers.length; id++) {
    const [name, email] = [id % 3 ? `Member ${id}` : `会員 ${id}`, `member-${id}@example.com`]
    user.run(
      name,
      name.toLowerCase(),
      `member${id}`,
      nameSkeleton(name),
      email,
      email,
      'none',
      null,
      start,
      start,
    )
    if (id <= Math.min(size.members, 5000)) logIn(id)
  }
  for (const id of readers) logIn(id)
  db.prepare('insert into admins (user_id, created_at) values (1, ?)').run(start)
}

export function insertFollows(db: DatabaseSync, size: Size) {
  const random = seededRandom(1)
  const row = db.prepare('insert into follows (follower_id, followed_id, created_at) values (?, ?, ?)')
  const at = evenTimes(1)(1)
  const others = size.members + size.occasional + size.postedOnce
  for (let id = 1; id <= size.members; id++)
    for (const other of distinctNumbers(random, size.follows, others))
      if (other + 1 !== id) row.run(id, other + 1, at)
  const kind = {
    active: [0, size.members + size.occasional],
    silent: [size.members + size.occasional, size.postedOnce],
    never: [others, size.neverPosted],
  } as const
  for (const reader of feedReaders(size)) {
    const [first, count] = kind[reader.kind]
    // Spread evenly, from those with the most posts to those with the fewest.
    for (let n = 0; n < reader.followed; n++)
      row.run(reader.id, first + Math.floor((n * count) / reader.followed) + 1, at)
  }
}

export function insertPosts(db: DatabaseSync, size: Size) {
  const random = seededRandom(2)
  const [texts, when] = [randomTexts(random), evenTimes(size.posts)]
  const post = db.prepare('insert into posts (user_id, body, created_at, likes_count) values (?, ?, ?, ?)')
  const like = db.prepare('insert into likes (post_id, user_id, created_at) values (?, ?, ?)')
  const counts = likesOf(random, size)
  for (let id = 1; id <= size.posts; id++) {
    const at = when(id)
    post.run(authorOf(random, size, id), texts[Math.floor(random() * texts.length)]!, at, counts[id - 1]!)
    for (const liker of [...distinctNumbers(random, counts[id - 1]!, size.members)].sort((a, b) => a - b))
      like.run(id, liker + 1, at)
  }
}

function authorOf(random: () => number, { members, occasional, postedOnce }: Size, id: number) {
  if (id <= postedOnce) return members + occasional + id
  if (id % 10 === 0) return members + ((id / 10) % occasional) + 1
  return pickSkewed(random, members) + 1
}

/** The number of likes of each post; their sum is `likes`. */
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

/** Unread, equally many for each active member: a like of each of the newest posts, whoever wrote it. */
export function insertNotifications(db: DatabaseSync, size: Size) {
  const notification = db.prepare(
    `insert into notifications (id, user_id, kind, subject_id, last_event_id, read_event_id)
     values (?, ?, 'like', ?, ?, 0)`,
  )
  const event = db.prepare(
    'insert into notification_events (id, notification_id, actor_id, created_at) values (?, ?, ?, ?)',
  )
  // Older ones would be deleted during the measurement.
  const at = new Date().toISOString()
  for (let id = 1; id <= size.notifications; id++) {
    const member = ((id - 1) % size.members) + 1
    const post = size.posts - Math.floor((id - 1) / size.members)
    notification.run(id, member, post, id)
    event.run(id, id, (member % size.members) + 1, at)
  }
}

const GROUPS = 30
const LARGEST_GROUP = 1000
/** The distances between the ids of two members who have a private chat. */
const APART = [1, 7, 31, 97, 211]

export function insertChats(db: DatabaseSync, size: Size) {
  const random = seededRandom(3)
  const [texts, when] = [randomTexts(random), evenTimes(size.messages)]
  const conversation = db.prepare(
    'insert into conversations (pair, name, created_by, created_at) values (?, ?, ?, ?)',
  )
  const member = db.prepare(
    `insert into conversation_members (conversation_id, user_id, added_by, first_received_at, created_at)
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
  const chats = pairs(size).map(([a, b]) => open(`${a}.${b}`, null, [a, b]))
  const groups = Array.from({ length: GROUPS }, (_, n) => {
    const count = Math.max(2, Math.floor(Math.min(size.members, LARGEST_GROUP) / (n + 1)))
    return open(
      null,
      `Group ${n + 1}`,
      [...distinctNumbers(random, count, size.members)].map((one) => one + 1).sort((a, b) => a - b),
    )
  })
  for (let n = 1; n <= size.messages; n++) {
    const { id, who } =
      n % 10 < 3 ? groups[pickSkewed(random, groups.length)]! : chats[pickSkewed(random, chats.length)]!
    message.run(
      id,
      who[Math.floor(random() * who.length)]!,
      `message ${n}`,
      texts[Math.floor(random() * texts.length)]!,
      when(n),
    )
  }
}

/** The members who have a private chat, the smaller id first. */
export function pairs({ members }: Size): [number, number][] {
  const known = new Map<string, [number, number]>()
  for (const apart of APART)
    for (let a = 0; a < members; a++) {
      const b = (a + apart) % members
      const pair: [number, number] = [Math.min(a, b) + 1, Math.max(a, b) + 1]
      if (a !== b) known.set(pair.join('.'), pair)
    }
  return [...known.values()]
}

/** Nine of ten members have read everything; the newest messages are unread for the tenth. */
export function setReadMarks(db: DatabaseSync) {
  db.exec(`
    update conversation_members set last_read_id = coalesce(
      (select id from messages m where m.conversation_id = conversation_members.conversation_id
        order by id + 0 desc limit 1)
        - case when (user_id + conversation_id) % 10 = 0 then 20 else 0 end, 0)`)
  db.exec('update conversation_members set furthest_read_id = last_read_id')
}
