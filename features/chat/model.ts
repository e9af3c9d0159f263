import { runTransactionOrRequestContact } from '#core/contacts.ts'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, hasMatchingRow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import type { PictureMetadata } from '#core/media/images.ts'
import { attachPicture, markPicturesUnreferenced } from '#core/media/lifecycle.ts'
import { requireWithinStorageQuota } from '#core/media/storage-quota.ts'
import { hasMuted } from '#features/people/mutes.ts'
import { countAndLimitNewMemberAction } from '#features/people/new-members.ts'
import { isFollowing } from '#features/people/read.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { requireAllowedPictureCount } from '#features/posts/limits.ts'
import {
  createNoSuchMessageError,
  createPrivateMessageMapper,
  findOtherIdInPair,
  formatConversationPair,
  listConversationMemberIds,
  readGroupMessageWithoutMembershipCheck,
  readImagesOfMessage,
  requireGroupMembership,
  requirePrivateChatAccess,
} from './read.ts'
import { moveReadMarkToOwnMessage } from './read-marks.ts'
import { enforceSlowMode } from './slow-mode.ts'
import { MESSAGE_IMAGE_ACCESS_GUARD } from './tables.ts'

// ── Sending ─────────────────────────────────────────────────────────────────

export interface NewMessage {
  body: string | null
  pictures: readonly PictureMetadata[]
  /** The descriptions of the pictures, in the order of the pictures. */
  descriptions: readonly (string | null)[]
  client_id?: string | null
}

/**
 * Stores a private message. If the author has used the `client_id` before, it stores nothing, returns
 * the message that was stored then, and `isNew` is false. `isMuted` is whether the other person has
 * muted the author. Throws 403 or 404 without access to the chat, 429 beyond the limits for new
 * members, and 403 if the two may not have contact. An attempt without allowed contact counts for the
 * limits too, so that nobody gets around the limits with refusals.
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
    const { row, images, isNew } = await insertMessage(
      context,
      tx,
      { id: conversation, is_group: false },
      message,
      at,
    )
    await tx
      .updateTable('conversation_members')
      .set({ first_received_at: at })
      .where('conversation_id', '=', conversation)
      .where('user_id', '=', other)
      .where('first_received_at', 'is', null)
      .execute()
    const isMuted = await hasMuted(tx, other, me.id)
    return { message: createPrivateMessageMapper(me.id, other)(row, images), isNew, isMuted }
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
    const { row, images, isNew } = await insertMessage(
      context,
      tx,
      { id: group, is_group: true },
      message,
      at,
    )
    if (isNew) await enforceSlowMode(context, tx, membership, at)
    const members = isNew ? await listConversationMemberIds(tx, group) : []
    return { message: await readGroupMessageWithoutMembershipCheck(viewer, row.id, images), isNew, members }
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
  { body, pictures, descriptions, client_id = null }: NewMessage,
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
  requireAllowedPictureCount(context, pictures.length)
  await countAndLimitNewMemberAction(context, tx, 'picture', pictures.length)
  for (const [position, picture] of pictures.entries()) {
    await attachPicture(tx, picture, me.id, MESSAGE_IMAGE_ACCESS_GUARD)
    const image = { message_id: id, position, media: picture.name, alt: descriptions[position] ?? null }
    await tx.insertInto('message_images').values(image).execute()
  }
  if (pictures.length) await requireWithinStorageQuota(context, tx, me.id, 'images')
  await moveReadMarkToOwnMessage(tx, me, conversation.id, id)
  await emit(tx, 'message.created', { id, ...author, is_group: conversation.is_group })
  return {
    row,
    images: pictures.length ? await readImagesOfMessage({ ...context, db: tx }, id) : [],
    isNew: true,
  }
}

async function findMessageByClientId(viewer: MemberViewerContext, conversation: number, client_id: string) {
  const row = await viewer.db
    .selectFrom('messages')
    .selectAll()
    .where('conversation_id', '=', conversation)
    .where('user_id', '=', viewer.me.id)
    .where('client_id', '=', client_id)
    .executeTakeFirstOrThrow()
  return { row, images: await readImagesOfMessage(viewer, row.id), isNew: false }
}

/**
 * Locks a conversation until the commit, so that its messages are committed in the order of their ids. Only
 * PostgreSQL needs it, because SQLite runs one transaction at a time.
 */
export const lockConversation = async (tx: Tx, id: number) =>
  isPostgres(tx) &&
  tx.selectFrom('conversations').select('id').where('id', '=', id).forNoKeyUpdate().execute()

// ── Changes of one's own messages ───────────────────────────────────────────

/**
 * Changes the text of an own message. Throws 403 if the two people of a private chat may not have contact.
 */
export const editOwnMessage = (context: MemberContext, id: number, body: string) =>
  runTransactionOrRequestContact(context, (tx) => editInTransaction({ ...context, db: tx }, id, body))

const editInTransaction = (context: MemberContext, id: number, body: string) =>
  runChangeOfOwnMessage(context, id, async (tx, message) => {
    // Refuses a hidden message, because the edit would send its text to the other people of the chat.
    if (message.deleted_at || message.hidden_at) throw createNoSuchMessageError()
    if (message.body === body) return []
    if (message.pair !== null)
      await context.contacts.requireContact(tx, context.me.id, findOtherIdInPair(message.pair, context.me.id))
    await tx.updateTable('messages').set({ body, edited_at: currentIsoTime() }).where('id', '=', id).execute()
    await context.emit(tx, 'message.edited', toMessageDomainEventPayload(message))
    return []
  })

/**
 * Empties a message and marks it as deleted; its row stays. Also returns the names of its pictures, so that
 * the caller can delete the files.
 */
export const softDeleteOwnMessage = (context: MemberContext, id: number) =>
  runChangeOfOwnMessage(context, id, async (tx, message) => {
    if (message.deleted_at) return []
    const names = await softDeleteMessage(tx, id)
    await context.emit(tx, 'message.deleted', toMessageDomainEventPayload(message))
    return names
  })

/**
 * Empties a message, and marks it as deleted and its pictures as unreferenced. Returns the pictures' names.
 */
export async function softDeleteMessage(tx: Tx, id: number) {
  await tx
    .updateTable('messages')
    .set({ body: '', edited_at: null, deleted_at: currentIsoTime() })
    .where('id', '=', id)
    .execute()
  const images = await tx
    .deleteFrom('message_images')
    .where('message_id', '=', id)
    .returning('media')
    .execute()
  const names = images.map(({ media }) => media)
  await markPicturesUnreferenced(tx, names)
  return names
}

type OwnMessage = Awaited<ReturnType<typeof readOwnMessage>>

/** Returns the payload of the domain events about a message. */
export const toMessageDomainEventPayload = ({
  id,
  conversation_id,
  user_id,
  pair,
}: Pick<OwnMessage, 'id' | 'conversation_id' | 'user_id' | 'pair'>) => ({
  id,
  conversation_id,
  user_id,
  is_group: pair === null,
})

/**
 * Runs `change` on a message of the member, who must still have access to its conversation. `change` returns
 * the names of pictures to delete. Returns these names with the changed message: as `private`, or as `group`
 * with the ids of the group's members.
 */
export const runChangeOfOwnMessage = (
  context: MemberContext,
  id: number,
  change: (tx: Tx, message: OwnMessage) => Promise<string[]>,
) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const me = context.me.id
    const { conversation_id, pair } = await readOwnMessage(tx, me, id)
    await lockConversation(tx, conversation_id)
    // Reads the message again, because it may have changed before the conversation was locked.
    const message = await readOwnMessage(tx, me, id)
    const other = pair === null ? null : findOtherIdInPair(pair, me)
    await (other === null
      ? requireGroupMembership(viewer, conversation_id)
      : requirePrivateChatAccess(viewer, other))
    const pictures = await change(tx, message)
    const images = await readImagesOfMessage(viewer, id)
    return other === null
      ? {
          pictures,
          group: await readGroupMessageWithoutMembershipCheck(viewer, id, images),
          members: await listConversationMemberIds(tx, conversation_id),
        }
      : { pictures, private: createPrivateMessageMapper(me, other)(await readOwnMessage(tx, me, id), images) }
  })

/** Reads a message of the member. Throws 404 if the member has written no such message. */
async function readOwnMessage(tx: Tx, me: number, id: number) {
  const message = await tx
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .selectAll('m')
    .select('c.pair')
    .where('m.id', '=', id)
    .where('m.user_id', '=', me)
    .executeTakeFirst()
  if (!message) throw createNoSuchMessageError()
  return message
}
