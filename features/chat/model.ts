import { sql } from 'kysely'
import { ContactNotAllowedError, runTransactionOrRequestContact } from '#core/contacts.ts'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, hasMatchingRow, type Tx } from '#core/database/database.ts'
import { createInvalidFieldError, HttpError } from '#core/http/errors.ts'
import { hasMuted } from '#features/people/mutes.ts'
import { countAndLimitNewMemberAction } from '#features/people/new-members.ts'
import { isFollowing } from '#features/people/read-follows.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import {
  addAttachmentsToNewMessage,
  type NewMessageAttachments,
  noMessageAttachments,
} from './attachments.ts'
import type { QuoteAndForwardedMarkWithExcludedViewers } from './broadcasts.ts'
import { lockConversation, lockPrivateChat } from './conversation-locks.ts'
import { storeForwardedMark } from './forwarded-marks.ts'
import { findOnlyOtherMemberKeptApart } from './group-of-two.ts'
import { createGroupMessageMapper, createPrivateMessageMapper, type MessageRow } from './message-mappers.ts'
import {
  buildIsPrivateChatCondition,
  insertMessageRow,
  type MessageIdReservation,
  reserveMessageId,
} from './new-message-row.ts'
import { type ConversationOfNewMessage, findOrCreatePrivateChatForNewMessage } from './open-private-chat.ts'
import {
  listConversationMemberIds,
  readOwnAuthorColumns,
  requireGroupMembership,
  requireReadablePrivateChat,
} from './read.ts'
import { readForwardedMarkWithExcludedViewers } from './read-message-forwards.ts'
import {
  type MessagePartsFromOtherTables,
  readPartsOfOneMessageFromOtherTables,
} from './read-message-parts.ts'
import { findAuthorIdOfQuotableMessage, readQuotedMessageWithExcludedViewers } from './read-quotes.ts'
import { enforceSlowModeAndStoreTime } from './slow-mode.ts'

// ── Storing new messages ─────────────────────────────────────────────────────

export interface NewMessage extends NewMessageAttachments {
  body: string | null
  client_id?: string | null
  /** The id of the message that the new message quotes, of the same conversation. */
  quotes_id?: number | null
  /** The id of the message that the new message forwards. It can be a message of any chat of the author. */
  forwards_id?: number | null
}

/**
 * Stores a private message of the current member. If the author has used this `client_id` before, stores no
 * message, returns the earlier message, and `isNew` is false. `isMuted` is whether the other person has muted
 * the author. Throws 403 or 404 if the author has no access to the chat, and 429 beyond the limits for new
 * members. If the two people may not have contact, stores a request for the contact instead and throws 403
 * (see `runTransactionOrRequestContact`). Such a refused message counts for the limits too. Otherwise members
 * could get around the limits with refused messages.
 */
export const storePrivateMessage = (
  context: MemberContext,
  other: number,
  message: NewMessage,
  at = currentIsoTime(),
) => {
  const { me } = context
  const count = async (tx: Tx) => {
    const access = await requireReadablePrivateChat({ ...context, db: tx }, other)
    if (access.conversation === null && !(await isFollowing(tx, other, me.id)))
      await countAndLimitNewMemberAction(context, tx, 'chat')
    return access
  }
  const send = async (tx: Tx) => {
    const viewer = { ...context, db: tx }
    // Locks the rows of the two members first and the conversation second, in the same order as other
    // transactions.
    const requirement = context.contacts.requireContact(tx, me.id, other)
    const lock = lockPrivateChat(tx, me.id, other)
    const [contact, checked, muted, reservation, locked] = await Promise.allSettled([
      requirement,
      count(tx),
      hasMuted(tx, other, me.id),
      reserveMessageId(tx, me.id, buildIsPrivateChatCondition(me.id, other), message.client_id),
      lock,
    ])
    const access = unwrapSettled(checked)
    if (access.former_since !== null) throw createFormerMemberError()
    // A repeated request needs no allowed contact: it gets the message that is stored already, whatever has
    // changed since.
    if (contact.status === 'rejected' && !(await isStored(tx, access.conversation, me.id, message)))
      throw contact.reason
    const target = await findOrCreatePrivateChatForNewMessage(tx, access, me.id, other, at)
    if (access.conversation === null)
      tx.afterCommit(() => context.realtime.refreshPresencePeers([me.id, other]))
    // Another request may have created the conversation after the attempt to lock it. Then the id was taken
    // without the lock, and is not used.
    const isLocked = unwrapSettled(locked)
    if (!isLocked) await lockConversation(tx, target.id)
    const reserved = isLocked ? unwrapSettled(reservation) : null
    const { row, isNew } = await insertMessage(context, tx, target, message, reserved, at)
    if (access.first_sent_at === null) tx.sendStatement(buildFirstReceivedUpdate(tx, target.id, other, at))
    const { ofMessage, ...forBroadcast } = await readPartsOfSentMessage(viewer, row, message, isNew)
    return {
      message: createPrivateMessageMapper(me.id, other)(row, ofMessage),
      ...{ isNew, isMuted: unwrapSettled(muted) },
      ...forBroadcast,
    }
  }
  return runTransactionOrRequestContact(context, 'first_message', send, count)
}

/** Returns the value of a promise that was settled by `Promise.allSettled`, or throws its error. */
function unwrapSettled<T>(settled: PromiseSettledResult<T>) {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

/**
 * Returns a statement that stores the time at which the member received the first message of a private chat,
 * unless a time is stored already.
 */
const buildFirstReceivedUpdate = (tx: Tx, conversation: number, member: number, at: string) =>
  tx
    .updateTable('conversation_members')
    .set({ first_received_at: at })
    .where('conversation_id', '=', conversation)
    .where('user_id', '=', member)
    .where('first_received_at', 'is', null)

/** Returns whether the author has already sent a message with the same `client_id` to the conversation. */
const isStored = async (tx: Tx, conversation: number | null, author: number, { client_id }: NewMessage) =>
  conversation !== null &&
  Boolean(client_id) &&
  hasMatchingRow(
    tx
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', conversation)
      .where('user_id', '=', author)
      .where('client_id', '=', client_id!),
  )

const createFormerMemberError = () =>
  new HttpError(403, {
    en: 'This person is no longer a member, so you cannot write to them.',
    ja: 'この人はもうメンバーではないため、メッセージを送れません。',
  })

/**
 * Stores a message to a group. As in `storePrivateMessage`, a repeated `client_id` stores no message and
 * returns the earlier one. Throws 429 if slow mode makes the author wait, and 403 if the group is only of the
 * author and a person who is kept apart from them (`contacts.apart`). Also returns the ids of the group's
 * members (`members`), or an empty list if `isNew` is false.
 */
export const storeGroupMessage = (
  context: MemberContext,
  group: number,
  message: NewMessage,
  at = currentIsoTime(),
) =>
  runTransactionOrRequestContact(context, 'first_message', async (tx) => {
    const viewer = { ...context, db: tx }
    await lockConversation(tx, group)
    const [membership, author, members, reserved, apart] = await Promise.all([
      requireGroupMembership(viewer, group),
      readOwnAuthorColumns(viewer),
      listConversationMemberIds(tx, group),
      reserveMessageId(tx, context.me.id, sql`c.id = ${group}`, message.client_id),
      findOnlyOtherMemberKeptApart(context, tx, group),
    ])
    const target = { id: group, is_group: true, first_recipient_id: null }
    const { row, isNew } = await insertMessage(context, tx, target, message, reserved, at)
    if (isNew && apart !== undefined) throw new ContactNotAllowedError(apart)
    if (isNew) await enforceSlowModeAndStoreTime(context, tx, membership, at)
    const { ofMessage, ...forBroadcast } = await readPartsOfSentMessage(viewer, row, message, isNew)
    return {
      message: createGroupMessageMapper(viewer)({ ...row, ...author }, ofMessage),
      ...{ isNew, members: isNew ? members : [] },
      ...forBroadcast,
    }
  })

/**
 * Reads the parts of a message that its author has just sent: as `ofMessage` the parts for the response to
 * the author, and the quote and the forwarding mark for the live event. Reads no parts of a new message that
 * was sent without any. Reads nothing for the event if the message is not new, because then no event is sent.
 */
async function readPartsOfSentMessage(
  viewer: MemberViewerContext,
  row: MessageRow,
  { pictures, files = [], quotes_id = null, forwards_id = null }: NewMessage,
  isNew: boolean,
): Promise<QuoteAndForwardedMarkWithExcludedViewers & { ofMessage: MessagePartsFromOtherTables }> {
  const hasParts = pictures.length > 0 || files.length > 0 || quotes_id !== null || forwards_id !== null
  return {
    ofMessage:
      isNew && !hasParts ? noMessageAttachments : await readPartsOfOneMessageFromOtherTables(viewer, row),
    quote: isNew ? await readQuotedMessageWithExcludedViewers(viewer, row.quotes_id) : null,
    forward:
      isNew && forwards_id !== null ? await readForwardedMarkWithExcludedViewers(viewer, row.id) : null,
  }
}

async function insertMessage(
  context: MemberContext,
  tx: Tx,
  { id: conversation_id, ...target }: ConversationOfNewMessage,
  { body, client_id = null, quotes_id = null, forwards_id = null, ...attachments }: NewMessage,
  reserved: MessageIdReservation,
  created_at: string,
) {
  const { me, emit } = context
  const author = { conversation_id, user_id: me.id }
  const values = { ...author, client_id, body: body ?? '', created_at }
  const row = await insertMessageRow(tx, me, values, reserved)
  if (!row) return findMessageByClientId({ ...context, db: tx }, conversation_id, client_id!)
  const { id } = row
  const quoted_user_id =
    quotes_id && (await storeQuote({ ...context, db: tx }, conversation_id, id, quotes_id))
  if (forwards_id !== null) await storeForwardedMark({ ...context, db: tx }, id, forwards_id)
  await addAttachmentsToNewMessage(context, tx, id, attachments)
  await emit(tx, 'message.created', { id, ...author, body: row.body, ...target, quoted_user_id })
  return { row: { ...row, quotes_id }, isNew: true }
}

/**
 * Stores which message a new message quotes. Returns the id of the author of the quoted message; null for a
 * former member. Throws 422 if the author of the new message sees no such message in the conversation.
 */
async function storeQuote(
  viewer: MemberViewerContext & { db: Tx },
  conversation: number,
  id: number,
  quotes_id: number,
) {
  // Does not accept the id of the new message itself, which is already stored, or a later id as the quoted
  // message.
  const author =
    quotes_id < id ? await findAuthorIdOfQuotableMessage(viewer, conversation, quotes_id) : undefined
  if (author === undefined)
    throw createInvalidFieldError('quotes_id', {
      en: 'The message that you are answering is not in this chat any more.',
      ja: '返信先のメッセージは、このチャットにはもうありません。',
    })
  await viewer.db.updateTable('messages').set({ quotes_id }).where('id', '=', id).execute()
  return author
}

async function findMessageByClientId(viewer: MemberViewerContext, conversation: number, client_id: string) {
  const row = await viewer.db
    .selectFrom('messages')
    .selectAll()
    .where('conversation_id', '=', conversation)
    .where('user_id', '=', viewer.me.id)
    .where('client_id', '=', client_id)
    .executeTakeFirstOrThrow()
  return { row, isNew: false }
}
