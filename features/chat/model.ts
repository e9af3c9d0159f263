import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { isPostgres, now, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Picture } from '#core/media/images.ts'
import { attach, detach } from '#core/media/lifecycle.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import {
  groupMessage,
  imagesOf,
  memberIds,
  membership,
  messageOrder,
  noSuchMessage,
  otherOf,
  pairKey,
  privateAccess,
  privateJson,
} from './read.ts'
import { unreadIn } from './read-conversations.ts'
import { IMAGE_GUARD } from './tables.ts'

// ── Sending ─────────────────────────────────────────────────────────────────

export interface NewMessage {
  body: string | null
  pictures: readonly Picture[]
  /** Descriptions, in the order of the pictures. */
  alt: readonly (string | null)[]
  client_id?: string | null
}

/**
 * Stores a private message. `isNew` is false where the author used the `client_id` before: then it returns
 * the first message.
 */
export const sendPrivate = (context: MemberContext, other: number, message: NewMessage, at = now()) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    const access = await privateAccess({ ...context, db: tx }, other)
    const conversation = access.conversation ?? (await createPrivateChat(tx, me.id, other, at))
    const { row, images, isNew } = await store(
      context,
      tx,
      { id: conversation, is_group: false },
      message,
      at,
    )
    await tx
      .updateTable('members')
      .set({ written_to_at: at })
      .where('conversation_id', '=', conversation)
      .where('user_id', '=', other)
      .where('written_to_at', 'is', null)
      .execute()
    return { message: privateJson(me.id, other)(row, images), isNew }
  })

/** As `sendPrivate`, to a group. `members` are the ids of its members. */
export const sendToGroup = (context: MemberContext, group: number, message: NewMessage, at = now()) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    await lockConversation(tx, group)
    await membership(viewer, group)
    const { row, images, isNew } = await store(context, tx, { id: group, is_group: true }, message, at)
    const members = isNew ? await memberIds(tx, group) : []
    return { message: await groupMessage(viewer, row.id, images), isNew, members }
  })

/**
 * Creates the conversation of two people, unless the other's first message has created it at the same moment.
 */
async function createPrivateChat(tx: Tx, me: number, other: number, at: string) {
  const pair = pairKey(me, other)
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
    .insertInto('members')
    .values(both)
    .onConflict((c) => c.doNothing())
    .execute()
  return id
}

async function store(
  context: MemberContext,
  tx: Tx,
  conversation: { id: number; is_group: boolean },
  { body, pictures, alt, client_id = null }: NewMessage,
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
  if (!row) return existingMessage({ ...context, db: tx }, conversation.id, client_id!)
  const { id } = row
  for (const [position, picture] of pictures.entries()) {
    await attach(tx, picture, IMAGE_GUARD)
    const image = { message_id: id, position, media: picture.name, alt: alt[position] ?? null }
    await tx.insertInto('message_images').values(image).execute()
  }
  await markOwnAsRead(tx, me.id, conversation.id, id)
  await emit(tx, 'message.created', { id, ...author, is_group: conversation.is_group })
  return { row, images: pictures.length ? await imagesOf({ ...context, db: tx }, id) : [], isNew: true }
}

async function existingMessage(viewer: MemberViewer, conversation: number, client_id: string) {
  const row = await viewer.db
    .selectFrom('messages')
    .selectAll()
    .where('conversation_id', '=', conversation)
    .where('user_id', '=', viewer.me.id)
    .where('client_id', '=', client_id)
    .executeTakeFirstOrThrow()
  return { row, images: await imagesOf(viewer, row.id), isNew: false }
}

/**
 * Locks a conversation until the commit, so that its messages are committed in the order of their ids. Only
 * PostgreSQL needs it: SQLite's transactions follow each other.
 */
export const lockConversation = async (tx: Tx, id: number) =>
  isPostgres(tx) &&
  tx.selectFrom('conversations').select('id').where('id', '=', id).forNoKeyUpdate().execute()

// ── Read marks ──────────────────────────────────────────────────────────────

/** Moves the author's read mark to their own new message, unless they have unread messages before it. */
const markOwnAsRead = (tx: Tx, me: number, conversation: number, id: number) =>
  sql`update members set last_read_id = ${id}, new_since = null
    where conversation_id = ${conversation} and user_id = ${me} and not exists (
      select m.id from messages m where m.conversation_id = ${conversation}
        and m.id + 0 > members.last_read_id + 0 and m.id + 0 < ${id}
        and m.user_id <> ${me} and m.deleted_at is null)`.execute(tx)

/**
 * Moves the member's read mark forward, never back, to the newest message of the conversation whose id is at
 * most `last`. A group is not new any more then. Returns the mark, whether anything changed, and how many
 * messages are unread now.
 */
export const markRead = (context: MemberContext, conversation: number, last: number) =>
  transaction(context.db, async (tx) => {
    const message = await tx
      .selectFrom('messages as m')
      .select('m.id')
      .where('m.conversation_id', '=', conversation)
      .where(messageOrder, '<=', last)
      .orderBy(messageOrder, 'desc')
      .limit(1)
      .executeTakeFirst()
    const id = message?.id ?? 0
    const changed = await tx
      .updateTable('members')
      .set({
        last_read_id: sql<number>`case when last_read_id < ${id} then ${id} else last_read_id end`,
        new_since: null,
      })
      .where('conversation_id', '=', conversation)
      .where('user_id', '=', context.me.id)
      .where((q) => q.or([q('last_read_id', '<', id), q('new_since', 'is not', null)]))
      .returning('last_read_id')
      .executeTakeFirst()
    const unread = await unreadIn({ ...context, db: tx }, conversation)
    return { last_read_id: changed?.last_read_id ?? id, moved: changed !== undefined, unread }
  })

// ── Changes of one's own messages ───────────────────────────────────────────

export const edit = (context: MemberContext, id: number, body: string) =>
  changeOwn(context, id, async (tx, message) => {
    if (message.deleted_at) throw noSuchMessage()
    if (message.body === body) return []
    await tx.updateTable('messages').set({ body, edited_at: now() }).where('id', '=', id).execute()
    await context.emit(tx, 'message.edited', eventOf(context, message))
    return []
  })

/**
 * Empties a message and marks it as deleted; its row stays. Also returns the names of its pictures, whose
 * files may then go.
 */
export const remove = (context: MemberContext, id: number) =>
  changeOwn(context, id, async (tx, message) => {
    if (message.deleted_at) return []
    await tx
      .updateTable('messages')
      .set({ body: '', edited_at: null, deleted_at: now() })
      .where('id', '=', id)
      .execute()
    const images = await tx
      .deleteFrom('message_images')
      .where('message_id', '=', id)
      .returning('media')
      .execute()
    const names = images.map(({ media }) => media)
    await detach(tx, names)
    await context.emit(tx, 'message.deleted', eventOf(context, message))
    return names
  })

type OwnMessage = Awaited<ReturnType<typeof ownMessage>>

const eventOf = ({ me }: MemberContext, { id, conversation_id, pair }: OwnMessage) => ({
  id,
  conversation_id,
  user_id: me.id,
  is_group: pair === null,
})

/**
 * Runs `change` on a message of the member, who must still be allowed in its conversation. `change` returns
 * names of pictures.
 */
export const changeOwn = (
  context: MemberContext,
  id: number,
  change: (tx: Tx, message: OwnMessage) => Promise<string[]>,
) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const me = context.me.id
    const { conversation_id, pair } = await ownMessage(tx, me, id)
    await lockConversation(tx, conversation_id)
    // Read again: the message may have changed before the conversation was locked.
    const message = await ownMessage(tx, me, id)
    const other = pair === null ? null : otherOf(pair, me)
    await (other === null ? membership(viewer, conversation_id) : privateAccess(viewer, other))
    const pictures = await change(tx, message)
    const images = await imagesOf(viewer, id)
    return other === null
      ? {
          pictures,
          group: await groupMessage(viewer, id, images),
          members: await memberIds(tx, conversation_id),
        }
      : { pictures, private: privateJson(me, other)(await ownMessage(tx, me, id), images) }
  })

/** Throws 404 where the member has written no such message. */
async function ownMessage(tx: Tx, me: number, id: number) {
  const message = await tx
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .selectAll('m')
    .select('c.pair')
    .where('m.id', '=', id)
    .where('m.user_id', '=', me)
    .executeTakeFirst()
  if (!message) throw noSuchMessage()
  return message
}
