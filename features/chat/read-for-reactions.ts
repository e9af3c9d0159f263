import type { Tx } from '#core/database/database.ts'
import { buildVisibleFormerOrBlockedAuthorRowsQuery } from '#features/people/read.ts'
import { buildAllFollowedIdsQuery } from '#features/people/read-follows.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { toGroupChannelName, toPrivateChatChannelName } from './broadcasts.ts'
import { isMessageHiddenByModeratorFrom } from './message-mappers.ts'
import { lockConversationOfMessage } from './moderation.ts'
import { createNoSuchMessageError } from './read.ts'

/** The fields of a message that the feature `reactions` needs. */
export interface MessageForReactions {
  id: number
  author: number
  /** The name of the Pusher channel to which the open windows of the message's conversation subscribe. */
  channel: string
  /** The ids of the two people, if the message is in a private chat; null for a message of a group. */
  pair: readonly [number, number] | null
  /** The id of the group; null for a message of a private chat. */
  group: number | null
  /** Whether a moderator has hidden the message from all but its author. */
  isHidden: boolean
}

/**
 * Returns those of the message ids whose messages the viewer may read now and whose authors the viewer has
 * not blocked. Leaves out deleted messages, and messages that a moderator has hidden from the viewer. The
 * rules are the same as in `requireGroupMembership` and `requireReadablePrivateChat`, but for many messages
 * at once.
 */
export async function filterVisibleMessageIds(viewer: MemberViewerContext, ids: readonly number[]) {
  if (!ids.length) return []
  const people = buildVisibleFormerOrBlockedAuthorRowsQuery(viewer)
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
    .leftJoin(buildAllFollowedIdsQuery(viewer).as('followed'), 'followed.followed_id', 'theirs.user_id')
    .select(['m.id', 'm.user_id', 'm.hidden_at', 'c.pair', 'mine.first_received_at', 'followed.followed_id'])
    .select(['author.is_blocked', 'other.id as other', 'other.is_blocked as is_other_blocked'])
    .select('other.former_since')
    .where('m.id', 'in', [...new Set(ids)])
    .where('m.deleted_at', 'is', null)
    .where('mine.user_id', '=', viewer.me.id)
    .execute()
  return rows
    .filter((row) => row.is_blocked === null && !isMessageHiddenByModeratorFrom(row, viewer.me.id))
    .filter(
      ({ pair, other, is_other_blocked, followed_id, first_received_at, former_since }) =>
        pair === null ||
        (other !== null &&
          is_other_blocked === null &&
          (followed_id ?? first_received_at ?? former_since) !== null),
    )
    .map(({ id }) => id)
}

/**
 * Returns those messages with these ids that exist, with the fields that reactions need. Does not check who
 * may read the messages.
 */
export async function readMessagesForReactionsWithoutCheck(
  tx: Tx,
  ids: readonly number[],
): Promise<MessageForReactions[]> {
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
      return { ...message, channel: toGroupChannelName(conversation_id), pair: null, group: conversation_id }
    const pair = stored.split('.').map(Number) as [number, number]
    return { ...message, channel: toPrivateChatChannelName(...pair), pair, group: null }
  })
}

/**
 * Locks the conversation of a message until the commit, and returns the message with the fields that
 * reactions need. Throws 404 if there is no such message.
 */
export async function lockAndReadMessageForReactionsWithoutCheck(tx: Tx, id: number) {
  await lockConversationOfMessage(tx, id)
  const [message] = await readMessagesForReactionsWithoutCheck(tx, [id])
  if (!message) throw createNoSuchMessageError()
  return message
}
