import type * as v from 'valibot'
import type { AppContext, MemberContext } from '#core/context.ts'
import * as channels from './channels.ts'

/** Needed because a window counts every message that arrives, the server none of a muted person. */
export const zeroUnread = (context: AppContext, member: number, muted: number) =>
  unreadCount(context, member, { userId: muted, groupId: null, unread: 0 })

export const unreadCount = (
  context: AppContext,
  member: number,
  data: v.InferInput<channels.Events['UnreadChanged']>,
) => channels.broadcast(context, [channels.member(member)], 'UnreadChanged', data, [])

export const mute = (
  context: AppContext,
  member: number,
  data: v.InferInput<channels.Events['ConversationMuted']>,
) => channels.broadcast(context, [channels.member(member)], 'ConversationMuted', data, [])

interface MovedReadMark {
  last_read_id: number
  author_id: number | undefined
  /** False if the mark that others see (`furthest_read_id`) is at a newer message. */
  isSeenByOthers: boolean
  /** Undefined if all members of the conversation may see the mark. */
  viewers: number[] | undefined
  unread: number
}

/**
 * Viewers who may not see the author of the message at the mark get no `MessagesRead`; at their next visit
 * they see the mark at an earlier message. If somebody hides their read marks, only `viewers` get the event.
 * The unread count goes to the member's own windows.
 */
export function readMark(
  context: MemberContext,
  channel: string,
  { last_read_id, author_id, unread, isSeenByOthers, viewers }: MovedReadMark,
  conversation: { userId: number | null; groupId: number | null },
) {
  const user_id = context.me.id
  const aboutUsers = [...new Set([user_id, author_id ?? user_id])]
  if (isSeenByOthers) {
    const options = viewers && { onlyFor: viewers }
    channels.broadcast(context, [channel], 'MessagesRead', { user_id, last_read_id }, aboutUsers, options)
  }
  unreadCount(context, user_id, { ...conversation, unread })
}

export const sharingChanged = (
  context: AppContext,
  conversations: readonly { id: number; pair: string | null }[],
  data: v.InferInput<channels.Events['ReadMarkSharingChanged']>,
) =>
  channels.broadcast(
    context,
    conversations.map(({ id, pair }) => channels.of(id, pair)),
    'ReadMarkSharingChanged',
    data,
    [data.user_id],
  )

export const accessChanged = (context: AppContext, member: number, other: number) =>
  channels.broadcast(context, [channels.member(member)], 'ChatAccessChanged', { userId: other }, [])
