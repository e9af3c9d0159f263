import type { DatabaseSync } from 'node:sqlite'
import type { Who } from './client.ts'
import { encode } from './client.ts'
import type { Community } from './community.ts'
import { seededRandom } from './random.ts'

/** The data of a write, for a request to Engawa and for the statements of the simplest program. */
interface Rows {
  likes: { member: number; post: number }
  posts: { member: number; client_id: string; body: string }
  privateMessages: { member: number; other: number; conversation: number; client_id: string; body: string }
  groupMessages: { member: number; conversation: number; client_id: string; body: string }
  follows: { member: number; other: number }
}
export type Kind = keyof Rows
export type Row<K extends Kind = Kind> = Rows[K]

interface Write<K extends Kind> {
  what: string
  table: 'likes' | 'posts' | 'messages' | 'follows'
  status?: number
  /** An endless sequence of rows that the community does not have. */
  rows(db: DatabaseSync, community: Community): Generator<Row<K>>
  request(row: Row<K>, who: Who): Buffer
}

/** How many members write at most. */
const WRITERS = 200
export const writers = ({ size }: Community) => Math.min(WRITERS, size.members)
const text = (n: number) => `Good evening, this is number ${n}: is anybody at the river tomorrow?`

export const writes: { [K in Kind]: Write<K> } = {
  likes: {
    what: 'PUT like',
    table: 'likes',
    *rows(db, community) {
      const known = db.prepare('select 1 from likes where user_id = ? and post_id = ?')
      const isKnown = (member: number, post: number) => known.get(member, post)
      for (const [member, post] of newPairs(writers(community), community.size.posts, 4, isKnown))
        yield { member, post }
    },
    request: ({ post }, who) => encode('PUT', `/api/posts/${post}/like`, { who }),
  },
  posts: {
    what: 'POST post',
    table: 'posts',
    status: 201,
    *rows(_, community) {
      for (let n = 0; ; n++)
        yield { member: 1 + (n % writers(community)), client_id: `bench ${n}`, body: text(n) }
    },
    request: ({ client_id, body }, who) =>
      encode('POST', '/api/posts', { who, body: { text: body, client_id } }),
  },
  privateMessages: {
    what: 'POST private message',
    table: 'messages',
    *rows(db, community) {
      const chats = repeat<Omit<Row<'privateMessages'>, 'client_id' | 'body'>>(
        db,
        `select m.conversation_id as conversation, m.user_id as member, o.user_id as other
         from conversation_members m
         join conversation_members o on o.conversation_id = m.conversation_id and o.user_id != m.user_id
         join conversations c on c.id = m.conversation_id
         where c.pair is not null and m.user_id <= ? order by m.conversation_id * 7919 % 104729`,
        writers(community),
      )
      for (const [chat, n] of chats) yield { ...chat, client_id: `bench ${n}`, body: text(n) }
    },
    request: ({ other: targetUserId, client_id, body: input }, who) =>
      encode('POST', '/api/send-private-message', { who, body: { input, targetUserId, client_id } }),
  },
  groupMessages: {
    what: 'POST group message',
    table: 'messages',
    *rows(db, community) {
      const groups = repeat<{ conversation: number; member: number }>(
        db,
        `select m.conversation_id as conversation, m.user_id as member from conversation_members m
         join conversations c on c.id = m.conversation_id
         where c.pair is null and m.user_id <= ?
         order by m.user_id * 7919 % 104729, m.conversation_id`,
        writers(community),
      )
      for (const [group, n] of groups) yield { ...group, client_id: `group ${n}`, body: text(n) }
    },
    request: ({ conversation: group_id, client_id, body: message }, who) =>
      encode('POST', '/api/group-messages/send', { who, body: { message, group_id, client_id } }),
  },
  follows: {
    what: 'POST follow',
    table: 'follows',
    *rows(db, community) {
      const { members, occasional, postedOnce } = community.size
      const known = db.prepare('select 1 from follows where follower_id = ? and followed_id = ?')
      const isKnown = (member: number, other: number) => member === other || known.get(member, other)
      const people = members + occasional + postedOnce
      for (const [member, other] of newPairs(writers(community), people, 5, isKnown)) yield { member, other }
    },
    request: ({ other }, who) => encode('POST', `/api/follow/${other}`, { who }),
  },
}

/** Each pair of a writer and a number up to `most` once, without the known ones. */
function* newPairs(count: number, most: number, seed: number, isKnown: (a: number, b: number) => unknown) {
  const random = seededRandom(seed)
  for (const found = new Set<string>(); ; ) {
    const [a, b] = [1 + Math.floor(random() * count), 1 + Math.floor(random() * most)]
    if (found.has(`${a} ${b}`) || isKnown(a, b)) continue
    found.add(`${a} ${b}`)
    yield [a, b] as const
  }
}

/** The rows of a query again and again, each with a running number. */
function* repeat<T>(db: DatabaseSync, query: string, count: number): Generator<[row: T, n: number]> {
  const rows = db.prepare(query).all(count) as T[]
  for (let n = 0; ; n++) yield [rows[n % rows.length]!, n]
}

// ── The same in bare SQL ────────────────────────────────────────────────────

export type Run = (sql: string, ...values: (string | number)[]) => Promise<{ id: number }>

const now = () => new Date().toISOString()

async function insertMessage(run: Run, { member, conversation, client_id, body }: Row<'groupMessages'>) {
  const { id } = await run(
    `insert into messages (conversation_id, user_id, client_id, body, created_at)
     values (?, ?, ?, ?, ?) returning id`,
    ...[conversation, member, client_id, body, now()],
  )
  await run(
    'update conversation_members set last_read_id = ? where conversation_id = ? and user_id = ?',
    ...[id, conversation, member],
  )
}

export const bareWrites: { [K in Kind]: (run: Run, row: Row<K>) => Promise<unknown> } = {
  async likes(run, { member, post }) {
    await run('insert into likes (post_id, user_id, created_at) values (?, ?, ?)', post, member, now())
    await run('update posts set likes_count = likes_count + 1 where id = ?', post)
  },
  posts: (run, { member, client_id, body }) =>
    run(
      'insert into posts (user_id, client_id, body, created_at) values (?, ?, ?, ?)',
      ...[member, client_id, body, now()],
    ),
  privateMessages: insertMessage,
  groupMessages: insertMessage,
  follows: (run, { member, other }) =>
    run('insert into follows (follower_id, followed_id, created_at) values (?, ?, ?)', member, other, now()),
}
