import type { AppContext, MemberContext } from '#core/context.ts'
import { isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import * as attached from '#features/conversations/attachments.ts'
import { lockConversation } from '#features/conversations/locks.ts'
import * as chats from '#features/conversations/read.ts'
import { isHiddenFrom } from '#features/conversations/read.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as messageBroadcasts from './broadcasts.ts'
import * as messageChanges from './changes.ts'
import { groupMapper, privateMapper } from './mappers.ts'
import { deletePin } from './pins.ts'

// The feature `moderation` checks the moderator's right and records the reason.

/** Number on each side of the reported one. */
const SURROUNDING_MESSAGES = 5

/** Oldest first, as the person who reports it sees them. */
export interface Excerpt {
  author: number
  /** Null for a group. */
  pair: readonly number[] | null
  messages: {
    id: number
    user_id: number
    text: string
    images_count: number
    /** Besides pictures; absent if there are none. */
    file_names?: string[]
    created_at: string
  }[]
}

/** 404 if the viewer may not read the message, or it is deleted or hidden. */
export async function getExcerpt(viewer: MemberViewer, id: number): Promise<Excerpt> {
  const me = viewer.me.id
  const found = await chats
    .messagesQuery(viewer)
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'm.conversation_id')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select('c.pair')
    .where('m.id', '=', id)
    .where('mine.user_id', '=', me)
    .executeTakeFirst()
  if (!found || found.deleted_at || isHiddenFrom(found, me)) throw chats.noMessage()
  const { pair, conversation_id } = found
  await (pair === null
    ? chats.requireMember(viewer, conversation_id)
    : chats.requirePrivate(viewer, chats.otherOf(pair, me)))
  const near = chats
    .messagesQuery(viewer)
    .select(attached.countOf('picture').as('images_count'))
    .where('m.conversation_id', '=', conversation_id)
    .where('m.deleted_at', 'is', null)
  const before = await near
    .where(chats.idOrder, '<=', id)
    .orderBy(chats.idOrder, 'desc')
    .limit(SURROUNDING_MESSAGES + 1)
    .execute()
  const after = await near
    .where(chats.idOrder, '>', id)
    .orderBy(chats.idOrder)
    .limit(SURROUNDING_MESSAGES)
    .execute()
  const shown = [...before.toReversed(), ...after].filter((row) => !isHiddenFrom(row, me))
  const fileNames = await attached.fileNames(
    viewer.db,
    shown.map((row) => row.id),
  )
  return {
    author: found.user_id,
    pair: pair === null ? null : [me, chats.otherOf(pair, me)],
    messages: shown.map(({ id: message, user_id, body, images_count, created_at }) => ({
      id: message,
      user_id,
      text: body,
      images_count: Number(images_count),
      ...(fileNames.has(message) && { file_names: fileNames.get(message)! }),
      created_at,
    })),
  }
}

/** Locks until the commit. Does nothing if there is no such message. */
export async function lockChat(tx: Tx, id: number) {
  const message = await tx
    .selectFrom('messages')
    .select('conversation_id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (message) await lockConversation(tx, message.conversation_id)
}

/** Changes of a message and their broadcasts run one after the other, in all server processes. */
export const withLock = <T>({ withLock }: AppContext, id: number, run: () => Promise<T>) =>
  withLock(`message ${id}`, run)

/** Hides it from all but its author, and ends its pin. 404 if it does not exist or is deleted. */
export async function hide(context: MemberContext, tx: Tx, id: number) {
  await lockMessage(tx, id)
  await tx.updateTable('messages').set({ hidden_at: isoNow() }).where('id', '=', id).execute()
  await deletePin(tx, id)
  await broadcastRemoved(context, tx, id)
}

/** 404 if it does not exist or is deleted. Open pages show the message when they load again. */
export async function unhide(tx: Tx, id: number) {
  await lockMessage(tx, id)
  await tx.updateTable('messages').set({ hidden_at: null }).where('id', '=', id).execute()
}

/** Also ends its pin; its files go after the commit. 404 if it does not exist or is deleted already. */
export async function remove(context: MemberContext, tx: Tx, id: number) {
  const message = await lockMessage(tx, id)
  const pictures = await messageChanges.empty(tx, id)
  await context.emit(tx, 'message.deleted', messageChanges.changeEvent(message))
  await broadcastRemoved(context, tx, id)
  tx.afterCommit(() => context.media.deleteUnreferenced(pictures))
}

/** Locks the conversation until the commit. 404 if the message does not exist or is deleted. */
async function lockMessage(tx: Tx, id: number) {
  const query = tx
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .selectAll('m')
    .select('c.pair')
    .where('m.id', '=', id)
    .where('m.deleted_at', 'is', null)
  const found = await query.executeTakeFirst()
  if (found && isPostgres(tx)) await lockConversation(tx, found.conversation_id)
  const message = found && (await query.executeTakeFirst())
  if (!message) throw chats.noMessage()
  return message
}

/** Sends it as a deleted message, also to the open pages of its author, until they load again. */
async function broadcastRemoved(context: MemberContext, tx: Tx, id: number) {
  const viewer = { ...context, db: tx, me: { ...context.me, id: 0 } }
  const row = await tx
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .innerJoin(people.unfiltered(viewer).as('u'), 'u.id', 'm.user_id')
    .selectAll('m')
    .select(['c.pair', 'u.name', 'u.image', 'u.shared_handle', 'u.former_since'])
    .where('m.id', '=', id)
    .executeTakeFirstOrThrow()
  const parts = attached.none
  const { pair, user_id, conversation_id } = row
  if (pair !== null) {
    const other = chats.otherOf(pair, user_id)
    const message = privateMapper(other, user_id)(row, parts)
    tx.afterCommit(() =>
      messageBroadcasts.messageChanged(context, {
        quote: null,
        private: { ...message, to_user_id: other },
      }),
    )
    return
  }
  const group = groupMapper(viewer)({ ...row, is_blocked: null, is_muted: null }, parts)
  const members = await chats.listMemberIds(tx, conversation_id)
  tx.afterCommit(() => messageBroadcasts.messageChanged(context, { quote: null, group, members }))
}
