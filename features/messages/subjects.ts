import type { Tx } from '#core/database/database.ts'
import * as channels from '#features/conversations/channels.ts'
import * as chats from '#features/conversations/read.ts'
import { isHiddenFrom } from '#features/conversations/read.ts'
import * as persons from '#features/people/read.ts'
import { allFollowed } from '#features/people/read-follows.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as moderation from './moderation.ts'

export interface MessageSubject {
  id: number
  author: number
  /** Name of the Pusher channel of the conversation. */
  channel: string
  /** Null for a message of a group. */
  pair: readonly [number, number] | null
  /** Null for a message of a private chat. */
  group: number | null
  /** From all but its author, by a moderator. */
  isHidden: boolean
}

/**
 * Rules of `chats.requireMember` and `chats.requirePrivate` for many messages at once. Without
 * deleted and hidden messages, and those of people whom the viewer has blocked.
 */
export async function visibleMessageIds(viewer: MemberViewer, ids: readonly number[]) {
  if (!ids.length) return []
  const people = persons.authorsWithBlocked(viewer)
  const rows = await viewer.db
    .selectFrom('messages as m')
    .innerJoin(people.as('author'), 'author.id', 'm.user_id')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'm.conversation_id')
    .leftJoin('conversation_members as theirs', (join) =>
      join
        .onRef('theirs.conversation_id', '=', 'm.conversation_id')
        .on('theirs.user_id', '!=', viewer.me.id)
        .on('c.pair', 'is not', null),
    )
    .leftJoin(people.as('other'), 'other.id', 'theirs.user_id')
    .leftJoin(allFollowed(viewer).as('followed'), 'followed.followed_id', 'theirs.user_id')
    .select(['m.id', 'm.user_id', 'm.hidden_at', 'c.pair', 'mine.first_received_at', 'followed.followed_id'])
    .select(['author.is_blocked', 'other.id as other', 'other.is_blocked as is_other_blocked'])
    .select('other.former_since')
    .where('m.id', 'in', [...new Set(ids)])
    .where('m.deleted_at', 'is', null)
    .where('mine.user_id', '=', viewer.me.id)
    .execute()
  return rows
    .filter((row) => row.is_blocked === null && !isHiddenFrom(row, viewer.me.id))
    .filter(
      ({ pair, other, is_other_blocked, followed_id, first_received_at, former_since }) =>
        pair === null ||
        (other !== null &&
          is_other_blocked === null &&
          (followed_id ?? first_received_at ?? former_since) !== null),
    )
    .map(({ id }) => id)
}

export async function listMessages(tx: Tx, ids: readonly number[]): Promise<MessageSubject[]> {
  if (!ids.length) return []
  const rows = await tx
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(['m.id', 'm.user_id', 'm.conversation_id', 'm.hidden_at', 'c.pair'])
    .where('m.id', 'in', ids)
    .execute()
  return rows.map(({ id, user_id: author, conversation_id, hidden_at, pair: stored }) => {
    const message = { id, author, isHidden: hidden_at !== null }
    if (stored === null)
      return {
        ...message,
        channel: channels.group(conversation_id),
        pair: null,
        group: conversation_id,
      }
    const pair = stored.split('.').map(Number) as [number, number]
    return { ...message, channel: channels.privateChat(...pair), pair, group: null }
  })
}

/** Locks the conversation until the commit. 404 if there is no such message. */
export async function lockMessage(tx: Tx, id: number) {
  await moderation.lockChat(tx, id)
  const [message] = await listMessages(tx, [id])
  if (!message) throw chats.noMessage()
  return message
}

/** By message id, as in `visibleMessageIds`. The text of a message with only files is empty. */
export async function getMessageTexts(viewer: MemberViewer, ids: readonly number[]) {
  const visible = await visibleMessageIds(viewer, ids)
  if (!visible.length) return new Map<number, string>()
  const rows = await viewer.db
    .selectFrom('messages')
    .select(['id', 'body'])
    .where('id', 'in', visible)
    .execute()
  return new Map(rows.map(({ id, body }) => [id, body]))
}
