import { runTransactionOrRequestContact } from '#core/contacts.ts'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, hasMatchingRow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError, HttpError } from '#core/http/errors.ts'
import { hasMuted } from '#features/people/mutes.ts'
import { countAndLimitNewMemberAction } from '#features/people/new-members.ts'
import { isFollowing } from '#features/people/read.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { attachToMessage, type NewAttachments } from './attachments.ts'
import type { PartsForBroadcast } from './broadcasts.ts'
import { storeForwardedMark } from './forwarded-marks.ts'
import { createPrivateMessageMapper } from './message-mappers.ts'
import {
  formatConversationPair,
  listConversationMemberIds,
  readGroupMessageWithoutMembershipCheck,
  requireGroupMembership,
  requirePrivateChatAccess,
} from './read.ts'
import { moveReadMarkToOwnMessage } from './read-marks.ts'
import { readForwardForBroadcast } from './read-message-forwards.ts'
import { readPartsOfMessage } from './read-message-parts.ts'
import { findAuthorOfQuotableMessage, readQuoteForBroadcast } from './read-quotes.ts'
import { enforceSlowMode } from './slow-mode.ts'

// ── Sending messages ────────────────────────────────────────────────────────

export interface NewMessage extends NewAttachments {
  body: string | null
  client_id?: string | null
  /** The id of the message of the same conversation that this one quotes. */
  quotes_id?: number | null
  /** The id of the message of any chat of the author that this one forwards. */
  forwards_id?: number | null
}

/**
 * Stores a private message. If the author has used this `client_id` before, stores no message, returns the
 * earlier message, and `isNew` is false. `isMuted` is whether the other person has muted the author. Throws
 * 403 or 404 without access to the chat, and 429 beyond the limits for new members. If the two may not have
 * contact, stores a request for the contact instead and throws 403 (see `runTransactionOrRequestContact`). An
 * attempt without allowed contact counts for the limits too. Otherwise members could get around the limits
 * with refused messages.
 */
export const storePrivateMessage = (
  context: MemberContext,
  other: number,
  message: NewMessage,
  at = currentIsoTime(),
) => {
  const { me } = context
  const count = async (tx: Tx) => {
    const access = await requirePrivateChatAccess({ ...context, db: tx }, other)
    if (access.conversation === null && !(await isFollowing(tx, other, me.id)))
      await countAndLimitNewMemberAction(context, tx, 'chat')
    return access
  }
  const send = async (tx: Tx) => {
    const access = await count(tx)
    if (access.former_since !== null) throw createFormerMemberError()
    // A repeated request needs no contact: it gets the stored message, whatever has changed since.
    if (access.conversation === null || !(await isStored(tx, access.conversation, me.id, message)))
      await context.contacts.requireContact(tx, me.id, other)
    const conversation = access.conversation ?? (await createPrivateChat(tx, me.id, other, at))
    if (access.conversation === null)
      tx.afterCommit(() => context.realtime.refreshPresencePeers([me.id, other]))
    const target = { id: conversation, is_group: false }
    const { row, isNew } = await insertMessage(context, tx, target, message, at)
    await tx
      .updateTable('conversation_members')
      .set({ first_received_at: at })
      .where('conversation_id', '=', conversation)
      .where('user_id', '=', other)
      .where('first_received_at', 'is', null)
      .execute()
    const isMuted = await hasMuted(tx, other, me.id)
    const viewer = { ...context, db: tx }
    const parts = await readPartsOfMessage(viewer, row)
    const forBroadcast = await readPartsForBroadcast(viewer, row, isNew)
    return { message: createPrivateMessageMapper(me.id, other)(row, parts), isNew, isMuted, ...forBroadcast }
  }
  return runTransactionOrRequestContact(context, send, count)
}

/** Whether the author has sent this message to the conversation before, with the same `client_id`. */
const isStored = async (tx: Tx, conversation: number, author: number, { client_id }: NewMessage) =>
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
 * Stores a message to a group, in the same way as `storePrivateMessage`. Throws 429 if slow mode makes the
 * author wait. Also returns the ids of the group's members (`members`), or an empty list if `isNew` is false.
 */
export const storeGroupMessage = (
  context: MemberContext,
  group: number,
  message: NewMessage,
  at = currentIsoTime(),
) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    await lockConversation(tx, group)
    const membership = await requireGroupMembership(viewer, group)
    const target = { id: group, is_group: true }
    const { row, isNew } = await insertMessage(context, tx, target, message, at)
    if (isNew) await enforceSlowMode(context, tx, membership, at)
    const members = isNew ? await listConversationMemberIds(tx, group) : []
    return {
      message: await readGroupMessageWithoutMembershipCheck(viewer, row.id),
      ...{ isNew, members },
      ...(await readPartsForBroadcast(viewer, row, isNew)),
    }
  })

/**
 * Reads the quote and the forwarding mark of a new message for its live event. Reads neither of them if the
 * message is not new, because then no event is sent.
 */
const readPartsForBroadcast = async (
  viewer: MemberViewerContext,
  { id, quotes_id }: { id: number; quotes_id: number | null },
  isNew: boolean,
): Promise<PartsForBroadcast> => ({
  quote: isNew ? await readQuoteForBroadcast(viewer, quotes_id) : null,
  forward: isNew ? await readForwardForBroadcast(viewer, id) : null,
})

/**
 * Creates the conversation of two people. Returns the existing one if the other's first message has created
 * it at the same moment.
 */
async function createPrivateChat(tx: Tx, me: number, other: number, at: string) {
  const pair = formatConversationPair(me, other)
  await tx
    .insertInto('conversations')
    .values({ pair, created_by: me, created_at: at })
    .onConflict((c) => c.column('pair').doNothing())
    .execute()
  const { id } = await tx
    .selectFrom('conversations')
    .select('id')
    .where('pair', '=', pair)
    .executeTakeFirstOrThrow()
  const both = [me, other].map((user_id) => ({ conversation_id: id, user_id, created_at: at }))
  await tx
    .insertInto('conversation_members')
    .values(both)
    .onConflict((c) => c.doNothing())
    .execute()
  return id
}

async function insertMessage(
  context: MemberContext,
  tx: Tx,
  conversation: { id: number; is_group: boolean },
  { body, client_id = null, quotes_id = null, forwards_id = null, ...attachments }: NewMessage,
  created_at: string,
) {
  const { me, emit } = context
  const author = { conversation_id: conversation.id, user_id: me.id }
  await lockConversation(tx, conversation.id)
  const row = await tx
    .insertInto('messages')
    .values({ ...author, client_id, body: body ?? '', created_at })
    .onConflict((c) => c.columns(['conversation_id', 'user_id', 'client_id']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) return findMessageByClientId({ ...context, db: tx }, conversation.id, client_id!)
  const { id } = row
  const quoted_user_id =
    quotes_id && (await storeQuote({ ...context, db: tx }, conversation.id, id, quotes_id))
  if (forwards_id !== null) await storeForwardedMark({ ...context, db: tx }, id, forwards_id)
  await attachToMessage(context, tx, id, attachments)
  await moveReadMarkToOwnMessage(tx, me, conversation.id, id)
  await emit(tx, 'message.created', { id, ...author, is_group: conversation.is_group, quoted_user_id })
  return { row: { ...row, quotes_id }, isNew: true }
}

/**
 * Stores which message a new message quotes. Returns the author of the quoted message; null for a former
 * member. Throws 422 if the author of the new message sees no such message in the conversation.
 */
async function storeQuote(
  viewer: MemberViewerContext & { db: Tx },
  conversation: number,
  id: number,
  quotes_id: number,
) {
  // Refuses the id of the new message itself, which is already stored, and later ids.
  const author =
    quotes_id < id ? await findAuthorOfQuotableMessage(viewer, conversation, quotes_id) : undefined
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

/**
 * Locks a conversation until the commit, so that its messages are committed in the order of their ids. Only
 * PostgreSQL needs it, because SQLite runs one transaction at a time.
 */
export const lockConversation = async (tx: Tx, id: number) =>
  isPostgres(tx) &&
  tx.selectFrom('conversations').select('id').where('id', '=', id).forNoKeyUpdate().execute()
