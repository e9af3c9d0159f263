import { type ExpressionBuilder, sql } from 'kysely'
import type { PageParams } from '#core/contract.ts'
import type { Tables } from '#core/database/database.ts'
import { paged } from '#core/http/pagination.ts'
import { followed, personRows, withAvatar } from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import { type Conversation, type Last, MOST_UNREAD, type MyGroup, type Unread } from './contract.ts'
import { otherOf } from './read.ts'
import { toPerson } from './read-groups.ts'

const MOST_GROUPS = 1000

/**
 * The id of the newest message of the conversation of `m`: the last entry of the conversation in an index.
 */
const newestId = sql<
  number | null
>`(select id from messages where conversation_id = m.conversation_id order by id + 0 desc limit 1)`

/** The time of that message. */
const newestAt = sql<
  string | null
>`(select created_at from messages where conversation_id = m.conversation_id order by id + 0 desc limit 1)`

/** The viewer's open private chats, the newest message first. `before` is the id of such a newest message. */
export async function conversations(viewer: MemberViewer, { before, limit }: PageParams) {
  const rows = await viewer.db
    .selectFrom('members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .innerJoin('members as o', (join) =>
      join.onRef('o.conversation_id', '=', 'm.conversation_id').onRef('o.user_id', '!=', 'm.user_id'),
    )
    .innerJoin(personRows(viewer).as('u'), 'u.id', 'o.user_id')
    .leftJoin(followed(viewer).as('f'), 'f.followed_id', 'u.id')
    .select(['u.id', 'u.name', 'u.image', 'f.followed_id', newestId.as('newest')])
    .where('m.user_id', '=', viewer.me.id)
    .where('c.pair', 'is not', null)
    .where((q) => q.or([q('f.followed_id', 'is not', null), q('m.written_to_at', 'is not', null)]))
    .$if(before !== undefined, (q) => q.where(newestId, '<', before!))
    .orderBy('newest', 'desc')
    .limit(limit + 1)
    .execute()
  const messages = await lastMessages(viewer, rows.slice(0, limit))
  return paged(
    rows,
    limit,
    (last) => ({ before: last.newest! }),
    (shown) =>
      shown.map(
        ({ newest, followed_id, ...user }): Conversation => ({
          user: withAvatar(viewer.media, user),
          followed: followed_id !== null,
          last_message: messages.get(newest) ?? null,
        }),
      ),
  )
}

/**
 * The viewer's groups. First the one with the newest message, where a group that the viewer was added to counts
 * from that moment.
 */
export async function myGroups(viewer: MemberViewer): Promise<MyGroup[]> {
  const found = viewer.db
    .selectFrom('members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .leftJoin(personRows(viewer).as('by'), 'by.id', 'm.added_by')
    .select(['c.id', 'c.name', 'm.created_at as added_at', newestId.as('newest'), newestAt.as('newest_at')])
    .select(['by.id as by_id', 'by.name as by_name', 'by.image as by_image'])
    .select((q) =>
      q
        .selectFrom('members as all')
        .innerJoin(personRows(viewer).as('one'), 'one.id', 'all.user_id')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('all.conversation_id', '=', 'm.conversation_id')
        .as('members_count'),
    )
    .where('m.user_id', '=', viewer.me.id)
    .where('c.name', 'is not', null)
  const rows = await viewer.db
    .selectFrom(found.as('g'))
    .selectAll()
    .orderBy(sql`case when newest_at > added_at then newest_at else added_at end`, 'desc')
    .orderBy(sql`coalesce(newest, 0)`, 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_GROUPS)
    .execute()
  const messages = await lastMessages(viewer, rows)
  return rows.map(({ id, name, newest, members_count, added_at, ...by }) => ({
    id,
    name: name!,
    members_count: Number(members_count),
    last_message: messages.get(newest) ?? null,
    added_by: toPerson(viewer.media, by.by_id, by.by_name, by.by_image),
    added_at,
  }))
}

/** The newest messages of some conversations, by message id. */
async function lastMessages(viewer: MemberViewer, rows: readonly { newest: number | null }[]) {
  const ids = rows.flatMap(({ newest }) => newest ?? [])
  if (!ids.length) return new Map<number | null, Last>()
  const found = await viewer.db
    .selectFrom('messages as m')
    .innerJoin(personRows(viewer).as('u'), 'u.id', 'm.user_id')
    .select(['m.id', 'm.user_id', 'u.name', 'm.created_at', 'm.deleted_at'])
    .select(sql<string>`substr(m.body, 1, 160)`.as('message'))
    .select((q) =>
      q
        .selectFrom('message_images as i')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('i.message_id', '=', 'm.id')
        .as('images_count'),
    )
    .where('m.id', 'in', ids)
    .execute()
  return new Map<number | null, Last>(
    found.map((row) => [row.id, { ...row, images_count: Number(row.images_count) }]),
  )
}

// ── Unread messages ─────────────────────────────────────────────────────────

/** The number of unread messages in each of the viewer's conversations that has any. */
export async function unread(viewer: MemberViewer): Promise<Unread> {
  const { db, me } = viewer
  const rows = await db
    .selectFrom('members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select((q) => ['c.id', 'c.pair', 'm.new_since', unreadCount(viewer, q).as('messages')] as const)
    .where('m.user_id', '=', me.id)
    .execute()
  const all: Unread = { private: {}, groups: {} }
  for (const { id, pair, ...row } of rows) {
    const count = withNew(row)
    if (!count) continue
    if (pair === null) all.groups[id] = count
    else all.private[otherOf(pair, me.id)] = count
  }
  return all
}

export async function unreadIn(viewer: MemberViewer, conversation: number) {
  const row = await viewer.db
    .selectFrom('members as m')
    .select((q) => ['m.new_since', unreadCount(viewer, q).as('messages')] as const)
    .where('m.conversation_id', '=', conversation)
    .where('m.user_id', '=', viewer.me.id)
    .executeTakeFirst()
  return row ? withNew(row) : 0
}

/** Counts a group that is new to the member as one more: the line that says who added them. */
const withNew = ({ messages, new_since }: { messages: number | null; new_since: string | null }) =>
  Math.min(Number(messages) + (new_since === null ? 0 : 1), MOST_UNREAD)

/**
 * Counts the messages of others that follow the read mark of the member `m`. Stops at `MOST_UNREAD`, so that
 * it reads no more entries of the index than that.
 */
const unreadCount = (viewer: MemberViewer, q: ExpressionBuilder<Tables & { m: Tables['members'] }, 'm'>) =>
  q
    .selectFrom((nested) =>
      nested
        .selectFrom('messages as x')
        .innerJoin(personRows(viewer).as('author'), 'author.id', 'x.user_id')
        .select('x.id')
        .whereRef('x.conversation_id', '=', 'm.conversation_id')
        .where(sql<boolean>`x.id + 0 > m.last_read_id + 0`)
        .whereRef('x.user_id', '!=', 'm.user_id')
        .where('x.deleted_at', 'is', null)
        .orderBy(sql`x.id + 0`)
        .limit(MOST_UNREAD)
        .as('unread'),
    )
    .select(sql<number>`count(*)`.as('count'))
