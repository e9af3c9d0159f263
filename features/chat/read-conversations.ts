import { type ExpressionBuilder, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { currentIsoTime, type DatabaseTables, type Db } from '#core/database/database.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import {
  buildVisibleOrFormerAuthorRowsQuery,
  buildVisiblePersonRowsQuery,
  toPersonFromRow,
} from '#features/people/read.ts'
import { buildAllFollowedIdsQuery } from '#features/people/read-follows.ts'
import {
  buildNotMutedCondition,
  buildVisiblePersonCondition,
  type MemberViewerContext,
  visibilityAndMuteTableNames,
} from '#features/people/visibility.ts'
import { buildMessageAttachmentCountExpression, messageVoiceRecordingCountExpression } from './attachments.ts'
import {
  type ConversationUnreadCountsAndMutes,
  type LastMessage,
  type ListedPrivateChat,
  MAX_UNREAD_MESSAGE_COUNT,
} from './contract.ts'
import type { ListedJoinedGroup } from './group-contract.ts'
import { findOtherUserIdInPrivateChatPair } from './read.ts'
import { toGroupPictureField, toPersonFromLeftJoinedColumns } from './read-groups.ts'

const MAX_GROUPS = 1000

/**
 * Returns an SQL expression: the id, or the time, of the newest message that the viewer may see in the
 * conversation of the membership row `m`. This is fast, because an index on the messages usually finds that
 * message at once. `condition` is a further SQL condition for the author of the message.
 */
const newestMessage = <T>(viewer: MemberViewerContext, column: 'id' | 'created_at', condition = sql`true`) =>
  sql<T | null>`(select ${sql.ref(column)} from messages
    where conversation_id = m.conversation_id and ${buildVisiblePersonCondition(viewer, 'messages.user_id')}
      and ${condition}
    order by id + 0 desc limit 1)`

/** Returns an SQL expression as `newestMessage` does, but ignores messages of people the viewer has muted. */
const newestGroupMessage = <T>(viewer: MemberViewerContext, column: 'id' | 'created_at') =>
  newestMessage<T>(viewer, column, buildNotMutedCondition(viewer, 'messages.user_id'))

/**
 * Lists the private chats that the viewer may read, the one with the newest message first. `before` is the
 * id of a message: the list contains only chats whose newest message is older than that message.
 */
export async function listPrivateChats(viewer: MemberViewerContext, { before, limit }: PaginationParameters) {
  const newestId = newestMessage<number>(viewer, 'id')
  const found = await viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .innerJoin('conversation_members as o', (join) =>
      join.onRef('o.conversation_id', '=', 'm.conversation_id').onRef('o.user_id', '!=', 'm.user_id'),
    )
    .innerJoin(buildVisibleOrFormerAuthorRowsQuery(viewer).as('u'), 'u.id', 'o.user_id')
    .leftJoin(buildAllFollowedIdsQuery(viewer).as('f'), 'f.followed_id', 'u.id')
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
    .orderBy('newest', (order) => order.desc().nullsLast())
    .limit(limit + 1)
    .execute()
  // Leaves out the chats whose messages were all removed. They are at the end of the result.
  const rows = found.filter(({ newest }) => newest !== null)
  const messages = await readLastMessages(viewer, rows.slice(0, limit))
  return toPagedResponse(
    rows,
    limit,
    (last) => ({ before: last.newest! }),
    (shown) =>
      shown.map(
        ({ newest, followed_id, ...user }): ListedPrivateChat => ({
          user: toPersonFromRow(viewer.media, user),
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
export async function listJoinedGroups(viewer: MemberViewerContext): Promise<ListedJoinedGroup[]> {
  const found = viewer.db
    .selectFrom('conversation_members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .leftJoin(buildVisiblePersonRowsQuery(viewer).as('by'), 'by.id', 'm.added_by')
    .select(['c.id', 'c.name', 'c.picture', 'm.created_at as added_at'])
    .select([
      newestGroupMessage<number>(viewer, 'id').as('newest'),
      newestGroupMessage<string>(viewer, 'created_at').as('newest_at'),
    ])
    .select(['by.id as by_id', 'by.name as by_name', 'by.image as by_image'])
    .select('by.shared_handle as by_handle')
    .select((q) =>
      q
        .selectFrom('conversation_members as all')
        .innerJoin(buildVisiblePersonRowsQuery(viewer).as('one'), 'one.id', 'all.user_id')
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
  return rows.map(({ id, name, picture, newest, members_count, added_at, ...by }) => ({
    id,
    name: name!,
    ...toGroupPictureField(viewer.media, picture),
    members_count: Number(members_count),
    last_message: messages.get(newest) ?? null,
    added_by: toPersonFromLeftJoinedColumns(viewer.media, by.by_id, by.by_name, by.by_image, by.by_handle),
    added_at,
  }))
}

/** Returns, as a map by message id, the messages whose ids are in the column `newest` of the rows. */
async function readLastMessages(viewer: MemberViewerContext, rows: readonly { newest: number | null }[]) {
  const ids = rows.flatMap(({ newest }) => newest ?? [])
  if (!ids.length) return new Map<number | null, LastMessage>()
  const found = await viewer.db
    .selectFrom('messages as m')
    .innerJoin(buildVisibleOrFormerAuthorRowsQuery(viewer).as('u'), 'u.id', 'm.user_id')
    .select(['m.id', 'm.user_id', 'u.name', 'm.created_at', 'm.deleted_at', 'm.hidden_at'])
    .select(sql<string>`substr(m.body, 1, 160)`.as('message'))
    .select([
      buildMessageAttachmentCountExpression('picture').as('images_count'),
      buildMessageAttachmentCountExpression('file').as('files_count'),
    ])
    .select(messageVoiceRecordingCountExpression.as('recordings_count'))
    .where('m.id', 'in', ids)
    .execute()
  return new Map<number | null, LastMessage>(
    found.map(({ hidden_at, files_count, recordings_count, ...row }) => [
      row.id,
      hidden_at === null || row.user_id === viewer.me.id
        ? {
            ...row,
            images_count: Number(row.images_count),
            ...(Number(files_count) && { files_count: Number(files_count) }),
            ...(Number(recordings_count) && { is_voice: true as const }),
          }
        : { ...row, message: '', images_count: 0, deleted_at: hidden_at },
    ]),
  )
}

// ── Numbers of messages ──────────────────────────────────────────────────────

/** The unread counts of a member, with the time at which the first of the member's mutes ends, or null. */
interface CachedUnreadCounts {
  counts: ConversationUnreadCountsAndMutes
  ends_at: string | null
}

/**
 * Creates a function that caches results of `readConversationUnreadCountsAndMutes`, which every page needs. A
 * table change empties the cache. A mute ends without one, so the next cache key has the time of its end.
 */
export function createCachedUnreadCountsAndMutesReader({ queryCaches }: Pick<AppContext, 'queryCaches'>) {
  const results = queryCaches<CachedUnreadCounts>(
    [...visibilityAndMuteTableNames, 'conversation_members', 'conversations', 'messages'],
    5000,
  )
  async function read(viewer: MemberViewerContext): Promise<CachedUnreadCounts> {
    const counts = await readConversationUnreadCountsAndMutes(viewer)
    const { private: ofChats = {}, groups = {} } = counts.muted ?? {}
    const [ends_at = null] = [...Object.values(ofChats), ...Object.values(groups)].toSorted()
    return { counts, ends_at }
  }
  return async (viewer: MemberViewerContext) => {
    for (let key = String(viewer.me.id); ; ) {
      const { counts, ends_at } = await results(key, () => read(viewer))
      if (ends_at === null || ends_at > currentIsoTime()) return counts
      key = `${viewer.me.id} ${ends_at}`
    }
  }
}

/**
 * Returns the number of unread messages of each of the viewer's conversations that has any. Also returns
 * which conversations the viewer has muted now, and until when.
 */
export async function readConversationUnreadCountsAndMutes(
  viewer: MemberViewerContext,
): Promise<ConversationUnreadCountsAndMutes> {
  const { db, me } = viewer
  const rows = await db
    .selectFrom('conversation_members as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(
      (q) => ['c.id', 'c.pair', 'm.unopened_since', unreadCountExpression(viewer, q).as('messages')] as const,
    )
    .select(
      sql<string | null>`case when m.muted_until > ${currentIsoTime()} then m.muted_until end`.as('muted'),
    )
    .where('m.user_id', '=', me.id)
    .execute()
  const all: ConversationUnreadCountsAndMutes = { private: {}, groups: {} }
  const muted: ConversationUnreadCountsAndMutes['muted'] = { private: {}, groups: {} }
  for (const { id, pair, ...row } of rows) {
    const kind = pair === null ? 'groups' : 'private'
    const key = pair === null ? id : findOtherUserIdInPrivateChatPair(pair, me.id)
    const count = countWithNewGroup(row)
    if (count) all[kind][key] = count
    if (row.muted !== null) muted[kind][key] = row.muted
  }
  return rows.some((row) => row.muted !== null) ? { ...all, muted } : all
}

export async function countUnreadMessagesInConversation(viewer: MemberViewerContext, conversation: number) {
  const row = await viewer.db
    .selectFrom('conversation_members as m')
    .select((q) => ['m.unopened_since', unreadCountExpression(viewer, q).as('messages')] as const)
    .where('m.conversation_id', '=', conversation)
    .where('m.user_id', '=', viewer.me.id)
    .executeTakeFirst()
  return row ? countWithNewGroup(row) : 0
}

/**
 * Returns the number of unread messages of a conversation. Adds one for a group that the member has not
 * opened yet, because the line that says who added the member counts as a message.
 */
const countWithNewGroup = ({
  messages,
  unopened_since,
}: {
  messages: number | null
  unopened_since: string | null
}) => Math.min(Number(messages) + (unopened_since === null ? 0 : 1), MAX_UNREAD_MESSAGE_COUNT)

/**
 * Returns an SQL expression: the number of unread messages of the membership row `m`. These are the messages
 * after its read mark, by other people whom the viewer may see and has not muted, except deleted and hidden
 * ones. Counts only up to the maximum, so that the query reads no more index entries than that.
 */
const unreadCountExpression = (
  viewer: MemberViewerContext,
  q: ExpressionBuilder<DatabaseTables & { m: DatabaseTables['conversation_members'] }, 'm'>,
) =>
  q
    .selectFrom((nested) =>
      nested
        .selectFrom('messages as x')
        .innerJoin(buildVisibleOrFormerAuthorRowsQuery(viewer).as('author'), 'author.id', 'x.user_id')
        .select('x.id')
        .whereRef('x.conversation_id', '=', 'm.conversation_id')
        .where(sql<boolean>`x.id + 0 > m.last_read_id + 0`)
        .whereRef('x.user_id', '!=', 'm.user_id')
        .where(buildNotMutedCondition(viewer, 'x.user_id'))
        .where('x.deleted_at', 'is', null)
        .where('x.hidden_at', 'is', null)
        .orderBy(sql`x.id + 0`)
        .limit(MAX_UNREAD_MESSAGE_COUNT)
        .as('unread'),
    )
    .select(sql<number>`count(*)`.as('count'))

/** Returns the number of messages in all conversations of the viewer. */
export async function countMessagesInConversationsOfViewer({ db, me }: MemberViewerContext) {
  const { count } = await db
    .selectFrom('conversation_members as m')
    .innerJoin('messages as x', 'x.conversation_id', 'm.conversation_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('m.user_id', '=', me.id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Returns the id of the recipient of the first message in a private chat. Returns undefined if either person
 * has received a message in this chat before, even if that message was removed since. Must be called in the
 * transaction that stores the message, before `first_received_at` is set.
 */
export async function findRecipientIfFirstPrivateMessage(db: Db, conversation: number, author: number) {
  const members = await db
    .selectFrom('conversation_members')
    .select(['user_id', 'first_received_at'])
    .where('conversation_id', '=', conversation)
    .execute()
  if (members.some(({ first_received_at }) => first_received_at !== null)) return undefined
  return members.find(({ user_id }) => user_id !== author)?.user_id
}

/** The maximum number of people whose presence a member sees while very many members are online. */
const MAX_PRESENCE_PEERS = 200

/** Lists the ids of the people in the newest private chats of the member, besides the member. */
export async function listPresencePeerIdsOfMember(db: Db, member: number) {
  const { rows } = await sql<{ pair: string }>`select c.pair from conversation_members m
    join conversations c on c.id = m.conversation_id
    where m.user_id = ${member} and c.pair is not null
    order by m.conversation_id desc limit ${MAX_PRESENCE_PEERS}`.execute(db)
  return rows.map(({ pair }) => findOtherUserIdInPrivateChatPair(pair, member))
}
