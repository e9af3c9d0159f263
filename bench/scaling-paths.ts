import { scalingModelMemberBehaviour } from './scaling-assumptions.ts'
import type { scalingModelShardKeysByTable } from './scaling-keys.ts'
import type { ScalingRandomIdFunctions } from './scaling-sampler.ts'

// This module lists the SQL statements of Engawa's requests, as far as they decide which shards a request
// asks.

/**
 * The designs that the scaling model compares. `today` is the present code, on shards. `next` is the code
 * after the changes that docs/scaling.md plans (“the next cut”).
 */
export const scalingDesignNames = ['today', 'next'] as const
export type ScalingDesignName = (typeof scalingDesignNames)[number]

interface Statement {
  table: keyof typeof scalingModelShardKeysByTable
  /** The name of the column by which the rows are found. */
  column: string
  /** The values of the column, which are ids. */
  ids: readonly number[]
  /**
   * The number of rows that each shard reads, besides one row for each id. Each shard has to offer a full
   * page of a list.
   */
  rows: number
  /** The number of rows that all shards together read, as in a comparison of all names. */
  scanned?: number
  isWrite?: true
  /** The number of rows that the statement writes. A lock writes none. */
  written?: number
}

/** One kind of HTTP request in the scaling model, with the SQL statements that it causes. */
export interface ScalingModelRequestKind {
  name: string
  /** How often an active member sends this request on a day. */
  perDay: number
  isWrite?: true
  /** Whether the response is an HTML page, for which the model assumes more processor time. */
  isPage?: true
  statements(sample: ScalingRandomIdFunctions, design: ScalingDesignName): Statement[]
}

const read = (table: Statement['table'], column: string, ids: readonly number[], rows = 1): Statement => ({
  table,
  column,
  ids,
  rows,
})
const write = (
  table: Statement['table'],
  column: string,
  ids: readonly number[],
  written = 1,
): Statement => ({ table, column, ids, rows: 0, written, isWrite: true })

/** Returns the statements that read the session of a request, and the people whom the viewer may not see. */
const asViewer = (me: number) => [
  read('sessions', 'user_id', [me]),
  read('blocks', 'blocker_id', [me], 5),
  read('mutes', 'muter_id', [me], 5),
]

/**
 * Returns the statement that reads the names and pictures of people. In the design `next`, the process caches
 * them for a minute, so only a tenth is read.
 */
const people = (ids: readonly number[], design: ScalingDesignName) => {
  const asked = design === 'today' ? ids : ids.slice(0, Math.ceil(ids.length / 10))
  return read('users', 'id', asked, 0)
}

/**
 * Returns the statements that read a member's unread counts. In the design `today` the messages of each of
 * the member's conversations are counted. In the design `next`, a second copy of the membership has the
 * newest message and the count.
 */
const unreadCounts = (s: ScalingRandomIdFunctions, me: number, design: ScalingDesignName) =>
  design === 'today'
    ? [
        read('conversation_members', 'user_id', [me], 30),
        read('messages', 'conversation_id', s.conversations(), 10),
      ]
    : [read('conversation_members', 'user_id', [me], 30)]

/** Returns the statements that notify a member. */
const notify = (member: number) => [
  write('notifications', 'user_id', [member]),
  write('notification_events', 'notification_id', [member]),
]

/**
 * Returns the statement that locks the row of a member against a block at the same moment
 * (`lockMemberRowsShared`). In the design `next` there is no lock, because after a block a job on the
 * shard of the rows removes them.
 */
const lockMember = (member: number, design: ScalingDesignName) =>
  design === 'today' ? [write('users', 'id', [member], 0)] : []

const reads: ScalingModelRequestKind[] = [
  {
    name: 'page (session, badges)',
    perDay: 20,
    isPage: true,
    statements(s, design) {
      const me = s.member()
      const own = [read('users', 'id', [me]), read('notifications', 'user_id', [me], 20)]
      return [...asViewer(me), ...own, ...unreadCounts(s, me, design)]
    },
  },
  {
    name: 'feed',
    perDay: 8,
    statements(s) {
      const me = s.member()
      const own = [read('follows', 'follower_id', [me], 100), read('bookmarks', 'user_id', [me], 5)]
      return [...asViewer(me), ...own, read('posts', 'id', s.followed(), 10)]
    },
  },
  {
    name: 'all posts',
    perDay: 4,
    statements(s, design) {
      const me = s.member()
      // In the design `next`, each process reads the newest posts once a second for all of its readers. A
      // request then only reads the likes of the viewer, on the shards of the 50 posts.
      const posts =
        design === 'today'
          ? read('posts', 'created_at', [], 51)
          : read('likes', 'post_id', s.list(50, s.member), 0)
      return [...asViewer(me), read('bookmarks', 'user_id', [me], 5), posts]
    },
  },
  {
    name: 'post with replies',
    perDay: 6,
    statements(s, design) {
      const author = s.popularMember()
      const own = [read('posts', 'id', [author]), read('replies', 'post_id', [author], 20)]
      return [...asViewer(s.member()), ...own, people(s.list(10, s.member), design)]
    },
  },
  {
    name: 'profile',
    perDay: 3,
    statements(s, design) {
      const person = s.popularMember()
      // The number of rows that are read to count the followers: row by row in the design `today`; in the
      // design `next` the count is a column.
      const followers = design === 'today' ? 100 : 1
      const own = [read('users', 'id', [person]), read('posts', 'id', [person], 51)]
      return [...asViewer(s.member()), ...own, read('follows', 'followed_id', [person], followers)]
    },
  },
  {
    name: 'list of chats',
    perDay: 6,
    statements(s, design) {
      const me = s.member()
      return [...asViewer(me), ...unreadCounts(s, me, design), people(s.list(30, s.member), design)]
    },
  },
  {
    name: 'messages of a chat',
    perDay: 15,
    statements(s, design) {
      const [me, chat] = [s.member(), s.group()]
      const own = [
        read('messages', 'conversation_id', [chat], 50),
        read('reactions', 'message_id', [chat], 20),
      ]
      return [...asViewer(me), ...own, people(s.list(5, s.member), design)]
    },
  },
  {
    name: 'notifications',
    perDay: 3,
    statements(s, design) {
      const me = s.member()
      const own = [
        read('notifications', 'user_id', [me], 50),
        read('notification_events', 'notification_id', [me], 150),
      ]
      const subjects = read('posts', 'id', s.list(20, s.popularMember), 0)
      return [...asViewer(me), ...own, subjects, people(s.list(60, s.member), design)]
    },
  },
  {
    name: 'list of members',
    perDay: 0.5,
    statements(s, design) {
      // The page of the list has 1,000 members in the design `today`, and 50 in the design `next`.
      const page = read('users', 'created_at', [], design === 'today' ? 1000 : 50)
      return [...asViewer(s.member()), page]
    },
  },
  {
    name: 'search for a name',
    perDay: 1,
    statements: (s, design) => {
      // In the design `today` each shard compares all names that it has. The design `next` has an index of
      // trigrams.
      const found = {
        ...read('users', 'name_key', [], 50),
        ...(design === 'today' && { scanned: s.members }),
      }
      return [...asViewer(s.member()), found]
    },
  },
]

const writes: ScalingModelRequestKind[] = [
  {
    name: 'like',
    perDay: scalingModelMemberBehaviour.likes,
    isWrite: true,
    statements(s, design) {
      const author = s.popularMember()
      const rows = [write('likes', 'post_id', [author]), write('posts', 'id', [author])]
      return [...rows, ...lockMember(s.member(), design), ...notify(author)]
    },
  },
  {
    name: 'post',
    perDay: scalingModelMemberBehaviour.posts,
    isWrite: true,
    statements(s) {
      const me = s.member()
      const mentioned = s.list(Math.floor(s.groupSize() / 20) % 4, s.member)
      return [
        write('posts', 'id', [me], 2),
        write('post_tags', 'tag', [s.member()]),
        ...mentioned.flatMap(notify),
      ]
    },
  },
  {
    name: 'reply',
    perDay: scalingModelMemberBehaviour.replies,
    isWrite: true,
    statements(s, design) {
      const [author, mentioned] = [s.popularMember(), s.member()]
      const rows = [write('replies', 'post_id', [author]), write('posts', 'id', [author])]
      return [...rows, ...lockMember(s.member(), design), ...notify(author), ...notify(mentioned)]
    },
  },
  {
    name: 'follow',
    perDay: scalingModelMemberBehaviour.follows,
    isWrite: true,
    statements(s) {
      const [me, other] = [s.member(), s.popularMember()]
      const rows = [write('follows', 'follower_id', [me]), write('follows', 'followed_id', [other])]
      return [...rows, ...notify(other)]
    },
  },
  {
    name: 'private message',
    perDay: scalingModelMemberBehaviour.privateMessages,
    isWrite: true,
    statements(s, design) {
      const [me, other] = [s.member(), s.member()]
      const rows = write('messages', 'conversation_id', [s.privateChat(me, other)], 3)
      const copies = write('conversation_members', 'user_id', [me, other], 2)
      return design === 'today' ? [rows] : [rows, copies]
    },
  },
  {
    name: 'group message',
    perDay: scalingModelMemberBehaviour.groupMessages,
    isWrite: true,
    statements(s, design) {
      const size = s.groupSize()
      const group = s.group()
      const rows = [
        read('conversation_members', 'conversation_id', [group], size),
        write('messages', 'conversation_id', [group], 3),
      ]
      // Writes the unread counts only in groups of at most 200 members. In larger groups the unread messages
      // are counted when a member reads, as in the design `today`.
      const copies =
        size <= 200 ? [write('conversation_members', 'user_id', s.list(size, s.member), size)] : []
      return design === 'today' ? rows : [...rows, ...copies]
    },
  },
  {
    name: 'read mark',
    perDay: scalingModelMemberBehaviour.readMarks,
    isWrite: true,
    statements: (s) => [
      write('conversation_members', 'conversation_id', [s.group()]),
      write('conversation_members', 'user_id', [s.member()]),
    ],
  },
  {
    name: 'log-in',
    perDay: 0.05,
    isWrite: true,
    statements(s) {
      const me = s.member()
      // Looks up the email address in the table of names, whose shard is that of the name.
      const name = read('reserved_emails', 'email_key', [s.member()])
      return [name, read('users', 'id', [me]), write('sessions', 'user_id', [me], 2)]
    },
  },
]

export const scalingOperations: readonly ScalingModelRequestKind[] = [...reads, ...writes]
