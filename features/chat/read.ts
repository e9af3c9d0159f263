import { type Selectable, sql } from 'kysely'
import type { PaginationParameters } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { HttpError } from '#core/http/errors.ts'
import { type PagedResponse, toPagedResponse } from '#core/http/pagination.ts'
import { hasMuted } from '#features/people/mutes.ts'
import {
  buildUnfilteredPersonRowsQuery,
  buildVisibleFormerOrBlockedAuthorRowsQuery,
  buildVisibleOrFormerAuthorRowsQuery,
  createNoSuchUserError,
  toPersonFromRow,
} from '#features/people/read.ts'
import { buildAllFollowedIdsQuery } from '#features/people/read-follows.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { toSmallerAndLargerUserId } from './channel-contract.ts'
import type { GroupMessage, PrivateChat } from './contract.ts'
import {
  createGroupMessageMapper,
  createPrivateMessageMapper,
  isMessageHiddenByModeratorFrom,
  type MessageMapper,
  toBlockedOrMutedMessagePlaceholder,
} from './message-mappers.ts'
import { buildSharesReadMarksCondition } from './read-mark-conditions.ts'
import { readMessagePartsLookupFunction, readPartsOfOneMessageFromOtherTables } from './read-message-parts.ts'
import type { ChatTables } from './tables.ts'

// ── Access to private chats and groups ───────────────────────────────────────

/**
 * Returns the viewer's private chat with another person. Throws 404 if the viewer may not see the person, and
 * 403 unless the viewer follows the person or has received a message from them. Everybody may read the chats
 * that they had with a former member. `conversation`, the id of the conversation, is null before the first
 * message. `first_received_at` and `first_sent_at` are the times of the first messages to and from the
 * viewer, or null.
 */
export async function requireReadablePrivateChat(viewer: MemberViewerContext, other: number) {
  const me = viewer.me.id
  const { rows } = await sql<PrivateAccessRow>`
    select u.id, u.name, u.image, u.shared_handle, u.former_since, c.id as conversation,
      mine.last_read_id, case when ${buildSharesReadMarksCondition(sql`${me}`)}
        and ${buildSharesReadMarksCondition(sql`${other}`)} then theirs.furthest_read_id end as seen_id,
      f.followed_id, mine.first_received_at, theirs.first_received_at as first_sent_at, mine.user_id as member
    from ${buildVisibleOrFormerAuthorRowsQuery(viewer).where('id', '=', other)} u
      left join ${buildAllFollowedIdsQuery(viewer).where('followed_id', '=', other)} f on f.followed_id = u.id
      left join conversations c on c.pair = ${formatPrivateChatPair(me, other)}
      left join conversation_members mine on mine.conversation_id = c.id and mine.user_id = ${me}
      left join conversation_members theirs
        on theirs.conversation_id = c.id and theirs.user_id = ${other}`.execute(viewer.db)
  if (!rows[0]) throw createNoSuchUserError()
  const { followed_id, first_received_at, first_sent_at, member, ...chat } = rows[0]
  const isReadable = followed_id ?? first_received_at ?? (chat.former_since && member)
  if (isReadable === null) throw createChatNotAllowedError()
  return { ...chat, followed: followed_id !== null, first_received_at, first_sent_at }
}

/**
 * Returns whether the viewer may subscribe to the channel of their private chat with `other`: the chat must
 * be open to at least one of the two. Both may subscribe then, so that the first message arrives live. This
 * does not allow reading or writing messages.
 */
export async function maySubscribeToPrivateChat(viewer: MemberViewerContext, other: number) {
  const me = viewer.me.id
  const { rows } = await sql`
    select 1 from ${buildVisibleOrFormerAuthorRowsQuery(viewer).where('id', '=', other)} u
    where exists ${buildAllFollowedIdsQuery(viewer).where('followed_id', '=', other)}
      or exists ${buildAllFollowedIdsQuery({ ...viewer, me: { ...viewer.me, id: other } }).where(
        'followed_id',
        '=',
        me,
      )}
      or exists (select 1 from conversations c join conversation_members m on m.conversation_id = c.id
        where c.pair = ${formatPrivateChatPair(me, other)} and m.first_received_at is not null)`.execute(
    viewer.db,
  )
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

const createChatNotAllowedError = () =>
  new HttpError(403, {
    en: 'You can message people you follow, and people who have messaged you.',
    ja: 'メッセージを送れる相手は、フォローしている人と、先にメッセージをくれた人だけです。',
  })

export const createNoSuchMessageError = () =>
  new HttpError(404, { en: 'There is no such message.', ja: 'そのメッセージは見つかりません。' })

/**
 * Formats the ids of two people as the value of `conversations.pair`: the smaller id first, such as “3.7”.
 */
export const formatPrivateChatPair = (a: number, b: number) =>
  Object.values(toSmallerAndLargerUserId(a, b)).join('.')

/** Returns the id of the other person of a private chat from the value of `conversations.pair`. */
export const findOtherUserIdInPrivateChatPair = (pair: string, me: number) =>
  pair
    .split('.')
    .map(Number)
    .find((id) => id !== me)!

type GroupMembershipRow = { name: string } & Pick<
  Selectable<ChatTables['conversations'] & ChatTables['conversation_members']>,
  | ('id' | 'owner_id' | 'slow_mode_seconds' | 'description' | 'picture')
  | ('last_read_id' | 'unopened_since' | 'last_slow_message_at')
>

/**
 * Reads the viewer's membership in a group. Throws 403 if the viewer is not a member or if there is no such
 * group.
 */
export async function requireGroupMembership({ db, me }: MemberViewerContext, group: number) {
  const { rows } = await sql<GroupMembershipRow>`
    select c.id, c.name, c.owner_id, c.slow_mode_seconds, c.description, c.picture,
      m.last_read_id, m.unopened_since, m.last_slow_message_at
    from conversation_members m join conversations c on c.id = m.conversation_id
    where m.conversation_id = ${group} and m.user_id = ${me.id} and c.name is not null`.execute(db)
  if (rows[0]) return rows[0]
  throw new HttpError(403, {
    en: 'Only members of the group can do this.',
    ja: 'この操作ができるのは、グループのメンバーだけです。',
  })
}

/** Returns an SQL query for the ids (`user_id`) of the members of a conversation. */
export const buildConversationMemberIdsQuery = (conversation: number) =>
  sql<{ user_id: number }>`select user_id from conversation_members where conversation_id = ${conversation}`

export async function listConversationMemberIds(db: Db, conversation: number) {
  const { rows } = await buildConversationMemberIdsQuery(conversation).execute(db)
  return rows.map((row) => row.user_id)
}

export async function readPrivateChat(viewer: MemberViewerContext, other: number): Promise<PrivateChat> {
  const { followed, last_read_id, seen_id, ...access } = await requireReadablePrivateChat(viewer, other)
  const { id, name, image, shared_handle, former_since } = access
  const user = toPersonFromRow(viewer.media, { id, name, image, shared_handle, former_since })
  const isMuted = (await hasMuted(viewer.db, viewer.me.id, other)) && ({ is_muted: true } as const)
  return { user, followed, last_read_id: last_read_id ?? 0, seen_id: seen_id ?? 0, ...isMuted }
}

// ── Reading messages ─────────────────────────────────────────────────────────

/**
 * Returns a query for the messages (`m`) whose authors the viewer may see or has blocked, or are former
 * members, with the columns of the authors. Messages of blocked people are in groups only, because private
 * chats with them are not accessible.
 */
export const buildMessagesWithAuthorsQuery = (viewer: MemberViewerContext) =>
  viewer.db
    .selectFrom('messages as m')
    .innerJoin(buildVisibleFormerOrBlockedAuthorRowsQuery(viewer).as('u'), 'u.id', 'm.user_id')
    .selectAll('m')
    .select(['u.name', 'u.image', 'u.shared_handle', 'u.former_since', 'u.is_blocked', 'u.is_muted'])

/**
 * SQL expression: the key by which the messages `m` of a conversation are sorted, which is the id. The `+ 0`
 * makes PostgreSQL use the index messages_conversation, which is on this expression, instead of the primary
 * key: see tables.ts.
 */
export const messageIdOrderExpression = sql<number>`m.id + 0`

export async function listPrivateMessages(
  viewer: MemberViewerContext,
  other: number,
  page: PaginationParameters,
) {
  const { conversation } = await requireReadablePrivateChat(viewer, other)
  if (conversation === null) return { body: [], next: null }
  return readMessagePage(viewer, conversation, page, createPrivateMessageMapper(viewer.me.id, other))
}

/**
 * Lists a page of the messages of a group. A message whose author the viewer has blocked or muted is listed
 * without content, and the page shows a note in its place.
 */
export async function listGroupMessages(
  viewer: MemberViewerContext,
  group: number,
  page: PaginationParameters,
) {
  await requireGroupMembership(viewer, group)
  const toMessage = createGroupMessageMapper(viewer)
  return readMessagePage(viewer, group, page, (row, parts) =>
    row.is_blocked === null && row.is_muted === null
      ? toMessage(row, parts)
      : toBlockedOrMutedMessagePlaceholder(row),
  )
}

/**
 * Reads one message of a group with its content, also if the viewer has blocked or muted its author. Throws
 * 404 if there is no such message in a group of the viewer, or if the author has blocked the viewer.
 */
export async function readGroupMessageEvenIfAuthorIsBlocked(
  viewer: MemberViewerContext,
  id: number,
): Promise<GroupMessage> {
  const row = await buildMessagesWithAuthorsQuery(viewer)
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'm.conversation_id')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .where('m.id', '=', id)
    .where('mine.user_id', '=', viewer.me.id)
    .where('c.name', 'is not', null)
    .executeTakeFirst()
  if (!row) throw createNoSuchMessageError()
  return createGroupMessageMapper(viewer)(row, await readPartsOfOneMessageFromOtherTables(viewer, row))
}

/**
 * Reads a message of a conversation of the viewer, also if the viewer sees a note in its place because they
 * have blocked or muted its author. `other` is the id of the other person of a private chat; null in a group.
 * Throws 403 or 404 unless the viewer may read the conversation.
 */
export async function requireMessageInOwnChat(viewer: MemberViewerContext, id: number) {
  const message = await buildMessagesWithAuthorsQuery(viewer)
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'm.conversation_id')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select('c.pair')
    .where('m.id', '=', id)
    .where('mine.user_id', '=', viewer.me.id)
    .executeTakeFirst()
  if (!message) throw createNoSuchMessageError()
  const other = message.pair === null ? null : findOtherUserIdInPrivateChatPair(message.pair, viewer.me.id)
  if (other !== null) await requireReadablePrivateChat(viewer, other)
  return { ...message, other }
}

/**
 * Reads a message whose content the viewer may see now. Throws 404 if the message is deleted or hidden, or if
 * the viewer sees a note in its place because they have blocked or muted its author.
 */
export async function requireReadableMessage(viewer: MemberViewerContext, id: number) {
  const message = await requireMessageInOwnChat(viewer, id)
  const isNote = message.other === null && (message.is_blocked !== null || message.is_muted !== null)
  if (message.deleted_at || isNote || isMessageHiddenByModeratorFrom(message, viewer.me.id))
    throw createNoSuchMessageError()
  return message
}

/** Reads the author columns of the viewer's own messages, such as the viewer's name and picture. */
export async function readOwnAuthorColumns(viewer: MemberViewerContext) {
  const { id: _, ...columns } = await buildUnfilteredPersonRowsQuery(viewer)
    .where('users.id', '=', viewer.me.id)
    .executeTakeFirstOrThrow()
  return { ...columns, is_blocked: null, is_muted: null }
}

/** Reads one message of a group. The caller must have checked that the viewer is a member of the group. */
export async function readGroupMessageWithoutMembershipCheck(viewer: MemberViewerContext, id: number) {
  const row = await buildMessagesWithAuthorsQuery(viewer).where('m.id', '=', id).executeTakeFirstOrThrow()
  return createGroupMessageMapper(viewer)(row, await readPartsOfOneMessageFromOtherTables(viewer, row))
}

/**
 * Returns a page of messages of a conversation, oldest first: those before the id `before`, those after the
 * id `after`, or the newest ones.
 */
async function readMessagePage<T>(
  viewer: MemberViewerContext,
  conversation: number,
  page: PaginationParameters,
  toJson: MessageMapper<T>,
): Promise<PagedResponse<T[]>> {
  const isForward = page.after !== undefined
  const found = buildMessagesWithAuthorsQuery(viewer).where('m.conversation_id', '=', conversation)
  const rows = await limitQueryToKeysetPagePlusOneRow(
    found,
    messageIdOrderExpression,
    page,
    isForward ? 'asc' : 'desc',
  ).execute()
  const partsOf = await readMessagePartsLookupFunction(viewer, rows.slice(0, page.limit))
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ [isForward ? 'after' : 'before']: last.id }),
    (shown) => (isForward ? shown : shown.toReversed()).map((row) => toJson(row, partsOf(row))),
  )
}

/**
 * Returns the message to which a picture or file is attached. Throws 403 or 404 unless the viewer may read
 * the conversation, and 404 if the author has blocked the viewer or if a moderator has hidden the message
 * from the viewer. The viewer may have blocked or muted the author.
 */
export async function requireReadableMessageOfAttachment(viewer: MemberViewerContext, picture: string) {
  const me = viewer.me.id
  const message = await buildMessagesWithAuthorsQuery(viewer)
    .innerJoin('message_attachments as i', 'i.message_id', 'm.id')
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'm.conversation_id')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select('c.pair')
    .where('i.media', '=', picture)
    .where('mine.user_id', '=', me)
    .executeTakeFirst()
  if (!message || isMessageHiddenByModeratorFrom(message, me)) throw createNoSuchMessageError()
  const { pair, conversation_id } = message
  await (pair === null
    ? requireGroupMembership(viewer, conversation_id)
    : requireReadablePrivateChat(viewer, findOtherUserIdInPrivateChatPair(pair, me)))
  return message
}
