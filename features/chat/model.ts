import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import type { PictureMetadata } from '#core/media/images.ts'
import { attachPicture, detachPictures } from '#core/media/lifecycle.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import {
  createPrivateMessageMapper,
  findOtherUserId,
  formatConversationPair,
  listConversationMemberIds,
  messageOrderExpression,
  noSuchMessageError,
  readGroupMessage,
  readImagesOfMessage,
  requireMembership,
  requirePrivateChatAccess,
} from './read.ts'
import { countUnreadInConversation } from './read-conversations.ts'
import { MESSAGE_IMAGE_ACCESS_GUARD } from './tables.ts'

// ── Sending ─────────────────────────────────────────────────────────────────

export interface NewMessage {
  body: string | null
  pictures: readonly PictureMetadata[]
  /** Descriptions, in the order of the pictures. */
  descriptions: readonly (string | null)[]
  client_id?: string | null
}

/**
 * Stores a private message. If the author has used the `client_id` before, it stores nothing, returns the
 * message that was stored then, and `isNew` is false.
 */
export const storePrivateMessage = (
  context: MemberContext,
  other: number,
  message: NewMessage,
  at = currentIsoTime(),
) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    const access = await requirePrivateChatAccess({ ...context, db: tx }, other)
    if (access.former_since !== null) throw formerMemberError()
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
    return { message: createPrivateMessageMapper(me.id, other)(row, images), isNew }
  })

const formerMemberError = () =>
  new HttpError(403, {
    en: 'This person is no longer a member, so you cannot write to them.',
    ja: 'この人はもうメンバーではないため、メッセージを送れません。',
  })

/**
 * Stores a message to a group, in the same way as `storePrivateMessage`. Also returns the ids of the group's
 * members (`members`), or an empty list if `isNew` is false.
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
    await requireMembership(viewer, group)
    const { row, images, isNew } = await insertMessage(
      context,
      tx,
      { id: group, is_group: true },
      message,
      at,
    )
    const members = isNew ? await listConversationMemberIds(tx, group) : []
    return { message: await readGroupMessage(viewer, row.id, images), isNew, members }
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
  for (const [position, picture] of pictures.entries()) {
    await attachPicture(tx, picture, MESSAGE_IMAGE_ACCESS_GUARD)
    const image = { message_id: id, position, media: picture.name, alt: descriptions[position] ?? null }
    await tx.insertInto('message_images').values(image).execute()
  }
  await markOwnAsRead(tx, me.id, conversation.id, id)
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

// ── Read marks ──────────────────────────────────────────────────────────────

/** Moves the author's read mark to their own new message, unless they have unread messages before it. */
const markOwnAsRead = (tx: Tx, me: number, conversation: number, id: number) =>
  sql`update conversation_members set last_read_id = ${id}, unopened_since = null
    where conversation_id = ${conversation} and user_id = ${me} and not exists (
      select m.id from messages m where m.conversation_id = ${conversation}
        and m.id + 0 > conversation_members.last_read_id + 0 and m.id + 0 < ${id}
        and m.user_id <> ${me} and m.deleted_at is null)`.execute(tx)

/**
 * Moves the member's read mark to the newest message with an id of at most `last`, but never back. Also marks
 * a new group as opened. Returns the mark, whether anything changed, and the number of unread messages.
 */
export const moveReadMark = (context: MemberContext, conversation: number, last: number) =>
  transaction(context.db, async (tx) => {
    const message = await tx
      .selectFrom('messages as m')
      .select('m.id')
      .where('m.conversation_id', '=', conversation)
      .where(messageOrderExpression, '<=', last)
      .orderBy(messageOrderExpression, 'desc')
      .limit(1)
      .executeTakeFirst()
    const id = message?.id ?? 0
    const changed = await tx
      .updateTable('conversation_members')
      .set({
        last_read_id: sql<number>`case when last_read_id < ${id} then ${id} else last_read_id end`,
        unopened_since: null,
      })
      .where('conversation_id', '=', conversation)
      .where('user_id', '=', context.me.id)
      .where((q) => q.or([q('last_read_id', '<', id), q('unopened_since', 'is not', null)]))
      .returning('last_read_id')
      .executeTakeFirst()
    const unread = await countUnreadInConversation({ ...context, db: tx }, conversation)
    return { last_read_id: changed?.last_read_id ?? id, hasMoved: changed !== undefined, unread }
  })

// ── Changes of one's own messages ───────────────────────────────────────────

export const editMessage = (context: MemberContext, id: number, body: string) =>
  changeOwnMessage(context, id, async (tx, message) => {
    if (message.deleted_at) throw noSuchMessageError()
    if (message.body === body) return []
    await tx.updateTable('messages').set({ body, edited_at: currentIsoTime() }).where('id', '=', id).execute()
    await context.emit(tx, 'message.edited', toMessageEvent(context, message))
    return []
  })

/**
 * Empties a message and marks it as deleted; its row stays. Also returns the names of its pictures, so that
 * the caller can delete the files.
 */
export const deleteMessage = (context: MemberContext, id: number) =>
  changeOwnMessage(context, id, async (tx, message) => {
    if (message.deleted_at) return []
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
    await detachPictures(tx, names)
    await context.emit(tx, 'message.deleted', toMessageEvent(context, message))
    return names
  })

type OwnMessage = Awaited<ReturnType<typeof readOwnMessage>>

const toMessageEvent = ({ me }: MemberContext, { id, conversation_id, pair }: OwnMessage) => ({
  id,
  conversation_id,
  user_id: me.id,
  is_group: pair === null,
})

/**
 * Runs `change` on a message of the member, who must still have access to its conversation. `change` returns
 * the names of pictures to delete.
 */
export const changeOwnMessage = (
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
    const other = pair === null ? null : findOtherUserId(pair, me)
    await (other === null
      ? requireMembership(viewer, conversation_id)
      : requirePrivateChatAccess(viewer, other))
    const pictures = await change(tx, message)
    const images = await readImagesOfMessage(viewer, id)
    return other === null
      ? {
          pictures,
          group: await readGroupMessage(viewer, id, images),
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
  if (!message) throw noSuchMessageError()
  return message
}
