import { type Selectable, type SqlBool, sql } from 'kysely'
import type { DatabaseTables, Db } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import { hasAsked } from '#features/people/apart.ts'
import { hasMuted } from '#features/people/mutes.ts'
import * as people from '#features/people/read.ts'
import { allFollowed } from '#features/people/read-follows.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import { endedGroups } from '#features/posts/audiences.ts'
import { type PrivateChat, sortIds } from './contract.ts'
import { sharingCondition } from './read-mark-conditions.ts'
import type { ChatTables } from './tables.ts'

// ── Access to private chats and groups ───────────────────────────────────────

/**
 * 404 if the viewer may not see the person, 403 unless they follow them or have received a message from them;
 * a chat with a former member stays open. `conversation` is null before the first message,
 * `first_received_at` and `first_sent_at` without one to and from the viewer.
 */
export async function requirePrivate(viewer: MemberViewer, other: number) {
  const me = viewer.me.id
  const { rows } = await sql<PrivateAccessRow>`
    select u.id, u.name, u.image, u.shared_handle, u.former_since, c.id as conversation,
      mine.last_read_id, case when ${sharingCondition(sql`${me}`)}
        and ${sharingCondition(sql`${other}`)} then theirs.furthest_read_id end as seen_id,
      f.followed_id, mine.first_received_at, theirs.first_received_at as first_sent_at, mine.user_id as member
    from ${people.authors(viewer).where('id', '=', other)} u
      left join ${allFollowed(viewer).where('followed_id', '=', other)} f on f.followed_id = u.id
      left join conversations c on c.pair = ${pairOf(me, other)}
      left join conversation_members mine on mine.conversation_id = c.id and mine.user_id = ${me}
      left join conversation_members theirs
        on theirs.conversation_id = c.id and theirs.user_id = ${other}`.execute(viewer.db)
  if (!rows[0]) throw people.notFound()
  const { followed_id, first_received_at, first_sent_at, member, ...chat } = rows[0]
  const isReadable = followed_id ?? first_received_at ?? (chat.former_since && member)
  if (isReadable === null) throw notAllowed()
  return { ...chat, followed: followed_id !== null, first_received_at, first_sent_at }
}

/**
 * The chat must be open to at least one of the two. Both may subscribe then, so that the first message
 * arrives live; this does not allow reading or writing.
 */
export async function canSubscribe(viewer: MemberViewer, other: number) {
  const me = viewer.me.id
  const { rows } = await sql`
    select 1 from ${people.authors(viewer).where('id', '=', other)} u
    where exists ${allFollowed(viewer).where('followed_id', '=', other)}
      or exists ${allFollowed({ ...viewer, me: { ...viewer.me, id: other } }).where('followed_id', '=', me)}
      or exists (select 1 from conversations c join conversation_members m on m.conversation_id = c.id
        where c.pair = ${pairOf(me, other)} and m.first_received_at is not null)`.execute(viewer.db)
  return rows.length > 0
}

interface PrivateAccessRow {
  id: number
  name: string
  image: string | null
  shared_handle: string | null
  former_since: string | null
  conversation: number | null
  last_read_id: number | null
  seen_id: number | null
  followed_id: number | null
  first_received_at: string | null
  first_sent_at: string | null
  member: number | null
}

const notAllowed = () =>
  new HttpError(403, {
    en: 'You can message people you follow, and people who have messaged you.',
    ja: 'メッセージを送れる相手は、フォローしている人と、先にメッセージをくれた人だけです。',
  })

export const noMessage = () =>
  new HttpError(404, { en: 'There is no such message.', ja: 'そのメッセージは見つかりません。' })

/** Value of `conversations.pair`: the smaller id first, such as “3.7”. */
export const pairOf = (a: number, b: number) => Object.values(sortIds(a, b)).join('.')

export const otherOf = (pair: string, me: number) =>
  pair
    .split('.')
    .map(Number)
    .find((id) => id !== me)!

type GroupMembershipRow = { name: string } & Pick<
  Selectable<ChatTables['conversations'] & ChatTables['conversation_members']>,
  | (
      | 'id'
      | 'owner_id'
      | 'created_by'
      | 'slow_mode_seconds'
      | 'chosen_writers_since'
      | 'ended_at'
      | 'description'
      | 'picture'
    )
  | ('last_read_id' | 'unopened_since' | 'last_slow_message_at' | 'may_write_since')
>

/** 403 if the viewer is not a member, or there is no such group. */
export async function requireMember({ db, me }: MemberViewer, group: number) {
  const { rows } = await sql<GroupMembershipRow>`
    select c.id, c.name, c.owner_id, c.created_by, c.slow_mode_seconds, c.chosen_writers_since, c.ended_at,
      c.description, c.picture, m.last_read_id, m.unopened_since, m.last_slow_message_at, m.may_write_since
    from conversation_members m join conversations c on c.id = m.conversation_id
    where m.conversation_id = ${group} and m.user_id = ${me.id} and c.name is not null`.execute(db)
  if (rows[0]) return rows[0]
  throw new HttpError(403, {
    en: 'Only members of the group can do this.',
    ja: 'この操作ができるのは、グループのメンバーだけです。',
  })
}

export const memberIdsQuery = (conversation: number) =>
  sql<{ user_id: number }>`select user_id from conversation_members where conversation_id = ${conversation}`

export async function listMemberIds(db: Db, conversation: number) {
  const { rows } = await memberIdsQuery(conversation).execute(db)
  return rows.map((row) => row.user_id)
}

export async function getPrivate(viewer: MemberViewer, other: number): Promise<PrivateChat> {
  const { followed, last_read_id, seen_id, ...access } = await requirePrivate(viewer, other)
  const { id, name, image, shared_handle, former_since } = access
  const user = people.fromRow(viewer.media, { id, name, image, shared_handle, former_since })
  const [muted, waits] = await Promise.all([
    hasMuted(viewer.db, viewer.me.id, other),
    !followed && hasAsked(viewer, other),
  ])
  return {
    user,
    followed,
    last_read_id: last_read_id ?? 0,
    seen_id: seen_id ?? 0,
    ...(muted && { is_muted: true as const }),
    ...(waits && { waits: true as const }),
  }
}

// ── Reading messages ─────────────────────────────────────────────────────────

/**
 * Messages (`m`) with author columns, of people whom the viewer may see or has blocked, and of former
 * members. Messages of blocked people are in groups only: private chats with them are not accessible.
 */
export const messagesQuery = (viewer: MemberViewer) =>
  viewer.db
    .selectFrom('messages as m')
    .innerJoin(people.authorsWithBlocked(viewer).as('u'), 'u.id', 'm.user_id')
    .selectAll('m')
    .select(['u.name', 'u.image', 'u.shared_handle', 'u.former_since', 'u.is_blocked', 'u.is_muted'])

/** The `+ 0` makes PostgreSQL use the index messages_conversation instead of the primary key (tables.ts). */
export const idOrder = sql<number>`m.id + 0`

/**
 * Also a message that the viewer sees only as a note, because they have blocked or muted its author. `other`
 * is null in a group. 403 or 404 unless the viewer may read the conversation.
 */
export async function requireInChat(viewer: MemberViewer, id: number) {
  const message = await messagesQuery(viewer)
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'm.conversation_id')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select('c.pair')
    .where('m.id', '=', id)
    .where('mine.user_id', '=', viewer.me.id)
    .executeTakeFirst()
  if (!message) throw noMessage()
  const other = message.pair === null ? null : otherOf(message.pair, viewer.me.id)
  if (other !== null) await requirePrivate(viewer, other)
  return { ...message, other }
}

/** 404 for a deleted or hidden message, and for one that the viewer sees only as a note. */
export async function requireMessage(viewer: MemberViewer, id: number) {
  const message = await requireInChat(viewer, id)
  const isNote = message.other === null && (message.is_blocked !== null || message.is_muted !== null)
  if (message.deleted_at || isNote || isHiddenFrom(message, viewer.me.id)) throw noMessage()
  return message
}

/**
 * 403 or 404 unless the viewer may read the conversation; 404 if the author has blocked them or a moderator
 * has hidden the message from them. The viewer may have blocked or muted the author.
 */
export async function requireByFile(viewer: MemberViewer, picture: string) {
  const me = viewer.me.id
  const message = await messagesQuery(viewer)
    .innerJoin('message_attachments as i', 'i.message_id', 'm.id')
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'm.conversation_id')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select('c.pair')
    .where('i.media', '=', picture)
    .where('mine.user_id', '=', me)
    .executeTakeFirst()
  if (!message || isHiddenFrom(message, me)) throw noMessage()
  const { pair, conversation_id } = message
  await (pair === null ? requireMember(viewer, conversation_id) : requirePrivate(viewer, otherOf(pair, me)))
  return message
}

export type MessageRow = Selectable<DatabaseTables['messages']>

export const isHiddenFrom = (row: Pick<MessageRow, 'hidden_at' | 'user_id'>, me: number) =>
  row.hidden_at !== null && row.user_id !== me

/** SQL condition: the message `id`, a column, is in a conversation of the viewer. */
export const inOpenChats = (viewer: MemberViewer, id: string) =>
  sql<SqlBool>`exists (select 1 from messages own_message
    join conversation_members mine on mine.conversation_id = own_message.conversation_id
    where own_message.id = ${sql.ref(id)} and mine.user_id = ${viewer.me.id}
      and own_message.conversation_id not in ${endedGroups(viewer, viewer.me.id)})`

/** Their texts, and their groups (null in a private chat). Checks no rights. */
export async function listTexts(db: Db, ids: readonly number[]) {
  if (!ids.length) return []
  const rows = await db
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(['m.id', 'm.body', 'c.pair', 'c.id as conversation'])
    .where('m.id', 'in', ids)
    .execute()
  return rows.map(({ id, body, pair, conversation }) => ({ id, body, group: pair ? null : conversation }))
}

/** Null if nobody owns the group now. */
export async function findOwner(db: Db, group: number) {
  const query = db.selectFrom('conversations').select('owner_id').where('id', '=', group)
  return (await query.executeTakeFirst())?.owner_id ?? null
}
