import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { HttpError } from '#core/http/errors.ts'
import * as chats from '#features/conversations/read.ts'
import { toPerson } from '#features/conversations/rows.ts'
import { lockPinnableGroup } from '#features/groups/managers.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as messageBroadcasts from './broadcasts.ts'
import { MAX_PINS, type PinnedMessage, type pinEndpoints } from './contract.ts'
import * as quotes from './quotes.ts'

/**
 * 404 unless the member may read the message, 403 unless they manage the group, or if too many are pinned.
 */
const pinMessage = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const { conversation_id, other } = await chats.requireMessage(viewer, id)
    if (other !== null) throw chats.noMessage()
    await lockPinnableGroup(context, tx, conversation_id)
    // Again, because it may have been deleted before the group was locked.
    const { hidden_at } = await chats.requireMessage(viewer, id)
    if (hidden_at !== null) throw chats.noMessage()
    const pinned = await listPinnedIds(tx, conversation_id)
    if (pinned.includes(id)) return { pinned: true }
    if (pinned.length >= MAX_PINS) throw createTooManyPinsError()
    const pin = { message_id: id, conversation_id, pinned_by: context.me.id, created_at: isoNow() }
    await tx.insertInto('pinned_messages').values(pin).execute()
    await context.emit(tx, 'message.pinned', toPinEventPayload(context, id, conversation_id))
    tx.afterCommit(() => messageBroadcasts.pinsChanged(context, conversation_id))
    return { pinned: true }
  })

const unpinMessage = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { conversation_id, other } = await chats.requireInChat({ ...context, db: tx }, id)
    if (other !== null) throw chats.noMessage()
    await lockPinnableGroup(context, tx, conversation_id)
    if (!(await deletePin(tx, id))) return { pinned: false }
    await context.emit(tx, 'message.unpinned', toPinEventPayload(context, id, conversation_id))
    tx.afterCommit(() => messageBroadcasts.pinsChanged(context, conversation_id))
    return { pinned: false }
  })

const toPinEventPayload = ({ me }: MemberContext, id: number, conversation_id: number) => ({
  id,
  conversation_id,
  actor_id: me.id,
  by_owner: !me.is_admin,
})

async function listPinnedIds(tx: Tx, group: number) {
  const rows = await tx
    .selectFrom('pinned_messages')
    .select('message_id')
    .where('conversation_id', '=', group)
    .execute()
  return rows.map(({ message_id }) => message_id)
}

const createTooManyPinsError = () =>
  new HttpError(403, {
    en: `A group has at most ${MAX_PINS} pinned messages. Unpin one of them first.`,
    ja: `ピン留めできるメッセージは${MAX_PINS}件までです。先にどれかのピン留めを外してください。`,
  })

export const pinHandlers: Handlers<typeof pinEndpoints> = {
  list: async (context) => {
    await chats.requireMember(context, context.input.id)
    return listPinned(context, context.input.id)
  },
  pin: (context) => pinMessage(context, context.input.id),
  unpin: (context) => unpinMessage(context, context.input.id),
}

/**
 * Last pinned first; without deleted and hidden messages, and authors whom the viewer may not see, has
 * blocked or has muted. The caller must have checked the membership.
 */
export async function listPinned(viewer: MemberViewer, group: number): Promise<PinnedMessage[]> {
  const rows = await viewer.db
    .selectFrom('pinned_messages as p')
    .leftJoin(people.rows(viewer).as('by'), 'by.id', 'p.pinned_by')
    .select(['p.message_id', 'p.created_at'])
    .select(['by.id as by_id', 'by.name as by_name', 'by.image as by_image'])
    .select('by.shared_handle as by_handle')
    .where('p.conversation_id', '=', group)
    .orderBy('p.created_at', 'desc')
    .orderBy(sql`p.message_id`, 'desc')
    .limit(MAX_PINS)
    .execute()
  const ids = rows.map(({ message_id }) => message_id)
  const messages = await quotes.get(viewer, ids)
  return rows.flatMap(({ message_id, created_at, ...by }) => {
    const found = messages.get(message_id)
    if (!found || found.is_blocked || found.is_muted || found.deleted_at !== null) return []
    const { deleted_at: _, ...message } = found
    const pinned_by = toPerson(viewer.media, by.by_id, by.by_name, by.by_image, by.by_handle)
    return [{ ...message, pinned_at: created_at, pinned_by }]
  })
}

/** True if the message was pinned. */
export async function deletePin(tx: Tx, message: number) {
  const { numDeletedRows } = await tx
    .deleteFrom('pinned_messages')
    .where('message_id', '=', message)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0
}
