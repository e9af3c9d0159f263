import { type ExpressionBuilder, sql } from 'kysely'
import type { PageParameters } from '#core/contract.ts'
import type { Tables } from '#core/database/database.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import {
  authorColumnsQuery,
  followedIdsQuery,
  personColumnsQuery,
  toPublicPerson,
} from '#features/people/read.ts'
import { type MemberViewerContext, visiblePersonCondition } from '#features/people/visibility.ts'
import {
  type LastMessage,
  type ListedPrivateChat,
  MAX_UNREAD_COUNT,
  type MyGroup,
  type UnreadCounts,
} from './contract.ts'
import { findOtherUserId } from './read.ts'
import { toPersonOrNull } from './read-groups.ts'

const MAX_GROUPS = 1000

/**
 * SQL: the id, or the time, of the newest message that the viewer may see in the conversation of `m`, a row
 * of `conversation_members`. It is mostly the last entry of that conversation in an index.
 */
const newestMessage = <T>(viewer: MemberViewerContext, column: 'id' | 'created_at') =>
  sql<T | null>`(select ${sql.ref(column)} from messages
    where conversation_id = m.conversation_id and ${visiblePersonCondition(viewer, 'messages.user_id')}
    order by id + 0 desc limit 1)`

/**
 * Lists the private chats that the viewer may read, the newest message first. `before` is the id of the
 * newest message of a chat.
 */
export async function listPrivateChats(viewer: MemberViewerContext, { before, limit }: PageParameters) {
  const newestId = newestMessage<number>(viewer, 'id')
  const rows = await viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .innerJoin('conversation_members as o', (join) =>
      join.onRef('o.conversation_id', '=', 'm.conversation_id').onRef('o.user_id', '!=', 'm.user_id'),
    )
    .innerJoin(authorColumnsQuery(viewer).as('u'), 'u.id', 'o.user_id')
    .leftJoin(followedIdsQuery(viewer).as('f'), 'f.followed_id', 'u.id')
    .select(['u.id', 'u.name', 'u.image', 'u.shared_handle', 'u.former_since'])
    .select(['f.followed_id', newestId.as('newest')])
    .where('m.user_id', '=', viewer.me.id)
    .where('c.pair', 'is not', null)
    .where((q) =>
      q.or([
        q('f.followed_id', 'is not', null),
        q('m.first_received_at', 'is not', null),
        q('u.former_since', 'is not', null),
      ]),
    )
    .$if(before !== undefined, (q) => q.where(newestId, '<', before!))
    .orderBy('newest', 'desc')
    .limit(limit + 1)
    .execute()
  const messages = await readLastMessages(viewer, rows.slice(0, limit))
  return toPagedResponse(
    rows,
    limit,
    (last) => ({ before: last.newest! }),
    (shown) =>
      shown.map(
        ({ newest, followed_id, ...user }): ListedPrivateChat => ({
          user: toPublicPerson(viewer.media, user),
          followed: followed_id !== null,
          last_message: messages.get(newest) ?? null,
        }),
      ),
  )
}

/**
 * Lists the viewer's groups, newest first. The time of a group is the time of its newest message, or the time
 * when the viewer was added, whichever is later.
 */
export async function listMyGroups(viewer: MemberViewerContext): Promise<MyGroup[]> {
  const found = viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .leftJoin(personColumnsQuery(viewer).as('by'), 'by.id', 'm.added_by')
    .select(['c.id', 'c.name', 'm.created_at as added_at'])
    .select([
      newestMessage<number>(viewer, 'id').as('newest'),
      newestMessage<string>(viewer, 'created_at').as('newest_at'),
    ])
    .select(['by.id as by_id', 'by.name as by_name', 'by.image as by_image'])
    .select('by.shared_handle as by_handle')
    .select((q) =>
      q
        .selectFrom('conversation_members as all')
        .innerJoin(personColumnsQuery(viewer).as('one'), 'one.id', 'all.user_id')
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
    .limit(MAX_GROUPS)
    .execute()
  const messages = await readLastMessages(viewer, rows)
  return rows.map(({ id, name, newest, members_count, added_at, ...by }) => ({
    id,
    name: name!,
    members_count: Number(members_count),
    last_message: messages.get(newest) ?? null,
    added_by: toPersonOrNull(viewer.media, by.by_id, by.by_name, by.by_image, by.by_handle),
    added_at,
  }))
}

/** Reads the messages whose ids are in the column `newest` of the rows. Returns them by message id. */
async function readLastMessages(viewer: MemberViewerContext, rows: readonly { newest: number | null }[]) {
  const ids = rows.flatMap(({ newest }) => newest ?? [])
  if (!ids.length) return new Map<number | null, LastMessage>()
  const found = await viewer.db
    .selectFrom('messages as m')
    .innerJoin(authorColumnsQuery(viewer).as('u'), 'u.id', 'm.user_id')
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
  return new Map<number | null, LastMessage>(
    found.map((row) => [row.id, { ...row, images_count: Number(row.images_count) }]),
  )
}

// ── Unread messages ─────────────────────────────────────────────────────────

/** Counts the unread messages in each of the viewer's conversations. Leaves out conversations without any. */
export async function countUnreadByConversation(viewer: MemberViewerContext): Promise<UnreadCounts> {
  const { db, me } = viewer
  const rows = await db
    .selectFrom('conversation_members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(
      (q) => ['c.id', 'c.pair', 'm.unopened_since', unreadCountExpression(viewer, q).as('messages')] as const,
    )
    .where('m.user_id', '=', me.id)
    .execute()
  const all: UnreadCounts = { private: {}, groups: {} }
  for (const { id, pair, ...row } of rows) {
    const count = countWithNewGroup(row)
    if (!count) continue
    if (pair === null) all.groups[id] = count
    else all.private[findOtherUserId(pair, me.id)] = count
  }
  return all
}

export async function countUnreadInConversation(viewer: MemberViewerContext, conversation: number) {
  const row = await viewer.db
    .selectFrom('conversation_members as m')
    .select((q) => ['m.unopened_since', unreadCountExpression(viewer, q).as('messages')] as const)
    .where('m.conversation_id', '=', conversation)
    .where('m.user_id', '=', viewer.me.id)
    .executeTakeFirst()
  return row ? countWithNewGroup(row) : 0
}

/** Adds one for a group that is new to the member: the line that says who added them counts as a message. */
const countWithNewGroup = ({
  messages,
  unopened_since,
}: {
  messages: number | null
  unopened_since: string | null
}) => Math.min(Number(messages) + (unopened_since === null ? 0 : 1), MAX_UNREAD_COUNT)

/**
 * SQL: counts the messages of others after the read mark of member `m`. Stops at the maximum count, so that
 * it reads no more index entries than that.
 */
const unreadCountExpression = (
  viewer: MemberViewerContext,
  q: ExpressionBuilder<Tables & { m: Tables['conversation_members'] }, 'm'>,
) =>
  q
    .selectFrom((nested) =>
      nested
        .selectFrom('messages as x')
        .innerJoin(authorColumnsQuery(viewer).as('author'), 'author.id', 'x.user_id')
        .select('x.id')
        .whereRef('x.conversation_id', '=', 'm.conversation_id')
        .where(sql<boolean>`x.id + 0 > m.last_read_id + 0`)
        .whereRef('x.user_id', '!=', 'm.user_id')
        .where('x.deleted_at', 'is', null)
        .orderBy(sql`x.id + 0`)
        .limit(MAX_UNREAD_COUNT)
        .as('unread'),
    )
    .select(sql<number>`count(*)`.as('count'))

/** The number of messages in all conversations of the viewer. */
export async function countMessages({ db, me }: MemberViewerContext) {
  const { count } = await db
    .selectFrom('conversation_members as m')
    .innerJoin('messages as x', 'x.conversation_id', 'm.conversation_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('m.user_id', '=', me.id)
    .executeTakeFirstOrThrow()
  return Number(count)
}
