import { createECDH, createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { deriveBenchSessionToken } from './community-rows.ts'

/**
 * A member for whom `insertNotificationBenchRows` adds `count` notifications of likes, each about another
 * post. So the community needs at least `count` posts.
 */
export interface BenchReaderIdAndNotificationCount {
  id: number
  count: number
}
/** The id of the member who reads and writes in the chats that `insertNotificationBenchRows` adds. */
export const NOTIFICATION_BENCH_CHAT_MEMBER_ID = 5
const EMOJI = ['👍', '🎉', '😂']

/**
 * Adds rows to the copy of a bench community in `folder`: unread notifications for `readers`; a group for
 * each number in `groups`, with that many members, each of whom has a device for push messages; and two chats
 * of `messages` messages, one without reactions and one with reactions to each message. Returns the ids of
 * the groups and the chats.
 */
export function insertNotificationBenchRows(
  folder: string,
  {
    readers,
    groups,
    messages,
  }: { readers: readonly BenchReaderIdAndNotificationCount[]; groups: readonly number[]; messages: number },
) {
  const db = new DatabaseSync(join(folder, 'engawa.db'))
  db.exec('pragma synchronous = off; begin')
  for (const reader of readers) insertNotifications(db, reader)
  insertDevices(db, Math.max(...groups))
  const found = {
    groups: groups.map((members) => insertGroup(db, `${members} members`, members)),
    plain: insertChat(db, messages, []),
    reacted: insertChat(db, messages, EMOJI),
  }
  db.exec('commit')
  db.close()
  return found
}

const now = () => new Date().toISOString()

/** Inserts unread notifications for a member: one of a like for each of the `count` newest posts. */
function insertNotifications(db: DatabaseSync, { id, count }: BenchReaderIdAndNotificationCount) {
  db.prepare(
    `insert into notifications (user_id, kind, subject_id, last_event_id, read_event_id)
     select ?, 'like', id, 0, 0 from posts order by id desc limit ?`,
  ).run(id, count)
  db.prepare(
    `insert into notification_events (notification_id, actor_id, created_at)
     select id, 1, ? from notifications where user_id = ? order by id`,
  ).run(now(), id)
  db.prepare(
    `update notifications set last_event_id =
       (select e.id from notification_events e where e.notification_id = notifications.id) where user_id = ?`,
  ).run(id)
}

/**
 * Inserts a session and a device for push messages for each of the first `count` members. No push service
 * listens at the address of the device.
 */
function insertDevices(db: DatabaseSync, count: number) {
  const session = db.prepare(
    'insert or ignore into sessions (token_hash, user_id, created_at, refreshed_at) values (?, ?, ?, ?)',
  )
  const device = db.prepare(
    `insert into push_subscriptions (user_id, session_hash, endpoint, p256dh, auth, created_at)
     values (?, ?, ?, ?, ?, ?)`,
  )
  const key = createECDH('prime256v1').generateKeys('base64url')
  const auth = randomBytes(16).toString('base64url')
  for (let id = 1; id <= count; id++) {
    const hash = createHash('sha256').update(deriveBenchSessionToken(id)).digest('hex')
    session.run(hash, id, now(), now())
    device.run(id, hash, `https://push.invalid/${id}`, key, auth, now())
  }
}

/**
 * Inserts a group of `members` members: NOTIFICATION_BENCH_CHAT_MEMBER_ID, and the other members with the
 * smallest ids. Returns the id of the group.
 */
function insertGroup(db: DatabaseSync, name: string, members: number) {
  const { lastInsertRowid: id } = db
    .prepare('insert into conversations (pair, name, created_by, created_at) values (null, ?, 1, ?)')
    .run(name, now())
  const member = db.prepare(
    'insert into conversation_members (conversation_id, user_id, added_by, created_at) values (?, ?, 1, ?)',
  )
  member.run(id, NOTIFICATION_BENCH_CHAT_MEMBER_ID, now())
  for (let user = 1, left = members - 1; left > 0; user++)
    if (user !== NOTIFICATION_BENCH_CHAT_MEMBER_ID) {
      member.run(id, user, now())
      left--
    }
  return Number(id)
}

/**
 * Inserts a group of two members with messages. Each message has one reaction with each of `emoji`. Returns
 * the id of the group.
 */
function insertChat(db: DatabaseSync, messages: number, emoji: readonly string[]) {
  const id = insertGroup(db, 'Long chat', 2)
  const message = db.prepare(
    `insert into messages (conversation_id, user_id, client_id, body, created_at)
     values (?, ?, ?, 'Good evening, is anybody at the river tomorrow?', ?)`,
  )
  const reaction = db.prepare(
    'insert into reactions (message_id, user_id, emoji, created_at) values (?, ?, ?, ?)',
  )
  for (let n = 0; n < messages; n++) {
    const { lastInsertRowid } = message.run(
      id,
      n % 2 ? 1 : NOTIFICATION_BENCH_CHAT_MEMBER_ID,
      `chat ${id} ${n}`,
      now(),
    )
    for (const one of emoji) reaction.run(lastInsertRowid, 1, one, now())
  }
  return id
}
