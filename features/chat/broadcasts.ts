import type * as v from 'valibot'
import type { AppContext, MemberContext } from '#core/context.ts'
import { fillChannelNameParameters } from '#core/contract.ts'
import { chatChannelDefinitions, toSmallerAndLargerUserId } from './channel-contract.ts'
import type { GroupMessage, PrivateMessage } from './contract.ts'
import type { GroupChange } from './group-contract.ts'
import type { ForwardedMarkWithExcludedViewers } from './read-message-forwards.ts'
import type { QuotedMessageWithExcludedViewers } from './read-quotes.ts'

// The functions of this file broadcast the realtime events of chat. For events about messages, groups and
// read marks, `aboutUsers` lists the people whom the data of the event names. A viewer who may not see one of
// these people does not get the event, or gets its `fallbackData` instead. The other events tell a member
// about their own chats, or name nobody; their `aboutUsers` is empty. The routes that send, edit and delete
// messages, change groups or mark messages as read run the change and its broadcast under a lock of the
// conversation or of the message (`withLock`), so that the events have the order of the commits. Without the
// lock, the broadcast of a later commit could overtake that of an earlier one.

type Events = (typeof chatChannelDefinitions)['privateChat']['events'] &
  (typeof chatChannelDefinitions)['group']['events'] &
  (typeof chatChannelDefinitions)['member']['events']

const broadcast = <E extends keyof Events & string>(
  { realtime }: AppContext,
  to: readonly string[],
  event: E,
  data: v.InferInput<Events[E]>,
  aboutUsers: readonly number[],
  options: {
    fallbackData?: v.InferInput<Events[E]>
    unlessMuted?: boolean
    inGroup?: boolean
    onlyFor?: readonly number[]
    trace?: MessageTrace | undefined
  } = {},
) => realtime.broadcast(to, event, data, { aboutUsers, ...options })

type MessageTrace = { kind: 'message'; id: number }
/**
 * Returns the `trace` option of the broadcast of a message, with which the server records how a new message
 * is delivered. Returns undefined for a changed message, whose delivery is not recorded.
 */
const toTraceOfNew = (event: `${string}Sent` | `${string}Changed`, id: number): MessageTrace | undefined =>
  event.endsWith('Sent') ? { kind: 'message', id } : undefined

/**
 * Returns the name of the Pusher channel of the private chat of two users. The lock under which the server
 * changes the chat has the same name.
 */
export const toPrivateChatChannelName = (a: number, b: number) =>
  fillChannelNameParameters(chatChannelDefinitions.privateChat, toSmallerAndLargerUserId(a, b))
/**
 * Returns the name of the Pusher channel of a group. The lock under which the server changes the group has
 * the same name.
 */
export const toGroupChannelName = (group: number) =>
  fillChannelNameParameters(chatChannelDefinitions.group, { group })
/**
 * Returns the name of the Pusher channel of a conversation from its database row. `pair` is the value of
 * `conversations.pair`: the two user ids of a private chat, null for a group.
 */
export function toChannelNameOfStoredConversation(id: number, pair: string | null) {
  if (pair === null) return toGroupChannelName(id)
  const [a, b] = pair.split('.').map(Number)
  return toPrivateChatChannelName(a!, b!)
}
const toMemberChannelName = (user: number) =>
  fillChannelNameParameters(chatChannelDefinitions.member, { user })

/**
 * The quote and the forwarding mark of a message that is broadcast. Each names a person other than the
 * author of the message. A message has at most one of the two.
 */
export interface QuoteAndForwardedMarkWithExcludedViewers {
  quote: QuotedMessageWithExcludedViewers | null
  forward?: ForwardedMarkWithExcludedViewers | null
}

/**
 * Broadcasts a new or changed message of a private chat to both people, also if one has muted the other. A
 * recipient who may not see the author of the forwarded original, or has muted that author, gets the message
 * without the name of that author.
 */
export function broadcastNewOrChangedPrivateMessage(
  context: AppContext,
  event: 'PrivateMessageSent' | 'PrivateMessageChanged',
  { quoted: _, forwarded: __, ...message }: PrivateMessage,
  { quote, forward }: QuoteAndForwardedMarkWithExcludedViewers,
) {
  const people = [message.from_user_id, message.to_user_id] as const
  const to = [toPrivateChatChannelName(...people), ...people.map(toMemberChannelName)]
  const trace = toTraceOfNew(event, message.id)
  if (!forward?.from) {
    const part = forward ? { forwarded: { from: null } } : quote && { quoted: quote.quoted }
    return broadcast(context, to, event, { ...message, ...part }, people, { trace })
  }
  const { from, hiddenFrom } = forward
  const [others, viewers] = [true, false].map((isHidden) =>
    people.filter((id) => hiddenFrom.includes(id) === isHidden),
  )
  const about = [...new Set([...people, from.id])]
  broadcast(context, to, event, { ...message, forwarded: { from } }, about, { onlyFor: viewers!, trace })
  if (others!.length)
    broadcast(context, to, event, { ...message, forwarded: { from: null } }, people, {
      onlyFor: others!,
      trace,
    })
}

/**
 * Sends an event that sets the unread count of a private chat to 0 in all windows of a member who has muted
 * the other person. This is needed because a window counts every message that arrives, also those of a muted
 * person, which the server does not count.
 */
export const broadcastZeroUnreadOfChatWithMutedPerson = (
  context: AppContext,
  member: number,
  muted: number,
) => broadcastConversationUnreadCountToMember(context, member, { userId: muted, groupId: null, unread: 0 })

/** Sends the number of the member's unread messages in one conversation to all windows of the member. */
export const broadcastConversationUnreadCountToMember = (
  context: AppContext,
  member: number,
  data: v.InferInput<Events['UnreadChanged']>,
) => broadcast(context, [toMemberChannelName(member)], 'UnreadChanged', data, [])

/** Sends to all windows of a member until when the member has muted a conversation. */
export const broadcastConversationMuteToMember = (
  context: AppContext,
  member: number,
  data: v.InferInput<Events['ConversationMuted']>,
) => broadcast(context, [toMemberChannelName(member)], 'ConversationMuted', data, [])

/**
 * Broadcasts a new or changed message of a group to its members, except to members who may not see the author
 * or have muted the author. `members` are the ids of all members of the group. A member who may not see, or
 * has muted, the author of the quoted message gets the message without the quote. In the same way, a member
 * may get the message without the name of the author of a forwarded original.
 */
export function broadcastNewOrChangedGroupMessage(
  context: AppContext,
  event: 'GroupMessageSent' | 'GroupMessageChanged',
  { group_id: groupId, user_id: userId, quoted: _, forwarded: __, ...message }: GroupMessage,
  { members, ...parts }: QuoteAndForwardedMarkWithExcludedViewers & { members: readonly number[] },
) {
  const recipients = groupRecipients(groupId, members)
  const { part, partForOthers, author, hiddenFrom } = toPartWithViewers(parts)
  const data = { groupId, userId, ...message }
  const trace = toTraceOfNew(event, message.id)
  const people = [...new Set([userId, author ?? userId])]
  const others = members.filter((id) => hiddenFrom.includes(id))
  const viewers = members.filter((id) => !hiddenFrom.includes(id))
  const options = { unlessMuted: true, inGroup: true, trace }
  broadcast(context, recipients, event, { ...data, ...part }, people, {
    ...options,
    ...(others.length && { onlyFor: viewers }),
  })
  if (others.length)
    broadcast(context, recipients, event, { ...data, ...partForOthers }, [userId], {
      ...options,
      onlyFor: others,
    })
}

/**
 * Returns the quote or the forwarding mark of a message as `part`, and as `author` the id of the person whom
 * it names. Viewers from whom that person is hidden (`hiddenFrom`) get `partForOthers` instead of `part`.
 */
function toPartWithViewers({ quote, forward }: QuoteAndForwardedMarkWithExcludedViewers) {
  if (quote) {
    const { quoted, author, hiddenFrom } = quote
    return { part: { quoted }, partForOthers: {}, author, hiddenFrom }
  }
  if (!forward) return { part: {}, partForOthers: {}, author: null, hiddenFrom: [] as number[] }
  const { from, hiddenFrom } = forward
  return {
    part: { forwarded: { from } },
    partForOthers: { forwarded: { from: null } },
    author: from?.id ?? null,
    hiddenFrom,
  }
}

const groupRecipients = (group: number, members: readonly number[]) => [
  toGroupChannelName(group),
  ...members.map(toMemberChannelName),
]

/**
 * Sends an event to the open pages of a conversation: its messages with ids below `before_id` were removed.
 */
export const broadcastRemovalOfMessagesBelowId = (context: AppContext, channel: string, before_id: number) =>
  broadcast(context, [channel], 'MessagesRemoved', { before_id }, [])

/**
 * Sends an event to the open pages of a conversation: the pictures and files of its messages with ids below
 * `before_id` were removed.
 */
export const broadcastRemovalOfAttachmentsBelowMessageId = (
  context: AppContext,
  channel: string,
  before_id: number,
) => broadcast(context, [channel], 'MessageImagesRemoved', { before_id }, [])

/**
 * A message that was changed: of a private chat (`private`), or of a group (`group`) with the ids of the
 * group's members (`members`).
 */
type ChangedMessage = QuoteAndForwardedMarkWithExcludedViewers &
  ({ private: PrivateMessage } | { private?: never; group: GroupMessage; members: readonly number[] })

/** Broadcasts a message of a private chat or group after it was edited, deleted, or hidden by a moderator. */
export const broadcastMessageChange = (context: AppContext, changed: ChangedMessage) =>
  changed.private
    ? broadcastNewOrChangedPrivateMessage(context, 'PrivateMessageChanged', changed.private, changed)
    : broadcastNewOrChangedGroupMessage(context, 'GroupMessageChanged', changed.group, changed)

/**
 * Broadcasts a change of a group to its members, and to the person who was removed or has left. A
 * recipient who may not see the actor or the person of the change gets the change without both names, because
 * the recipient still needs the new name of the group or the information that the group is deleted.
 */
export function broadcastGroupChange(
  context: AppContext,
  groupId: number,
  change: GroupChange,
  recipients: readonly number[],
) {
  const { actor, person } = change
  const people = [actor, person].filter((one) => one !== null).map(({ id }) => id)
  const fallbackData = { groupId, change: { ...change, actor: null, person: null } }
  broadcast(context, groupRecipients(groupId, recipients), 'GroupChanged', { groupId, change }, people, {
    fallbackData,
  })
}

interface MovedReadMark {
  last_read_id: number
  /** The id of the author of the message with the id `last_read_id`. */
  author_id: number | undefined
  /**
   * Whether the read mark that other members see (`furthest_read_id`) is at the message `last_read_id` too.
   * If false, that mark is at a newer message.
   */
  isSeenByOthers: boolean
  /** The ids of the members who may see the read mark; undefined if all members of the conversation may. */
  viewers: number[] | undefined
  unread: number
}

/**
 * Sends the read mark of the current member that others see to the channel of the conversation, if this mark
 * has moved. Also sends the number of unread messages to all windows of the current member. Viewers who may
 * not see the author of the message at the mark do not get the event `MessagesRead`. At their next visit they
 * see the mark at an earlier message that they may see. If a member of the conversation does not show read
 * marks, only `viewers` get the event.
 */
export function broadcastReadMarkAndUnreadCount(
  context: MemberContext,
  channel: string,
  { last_read_id, author_id, unread, isSeenByOthers, viewers }: MovedReadMark,
  conversation: { userId: number | null; groupId: number | null },
) {
  const user_id = context.me.id
  const aboutUsers = [...new Set([user_id, author_id ?? user_id])]
  if (isSeenByOthers) {
    const options = viewers && { onlyFor: viewers }
    broadcast(context, [channel], 'MessagesRead', { user_id, last_read_id }, aboutUsers, options)
  }
  broadcastConversationUnreadCountToMember(context, user_id, { ...conversation, unread })
}

/** Sends an event to the open pages of a group: its pinned messages have changed. */
export const broadcastPinnedMessagesChanged = (context: AppContext, group_id: number) =>
  broadcast(context, [toGroupChannelName(group_id)], 'PinnedMessagesChanged', { group_id }, [])

/**
 * Sends an event to the open pages of a member's conversations: the member has begun or stopped showing
 * others what they have read.
 */
export const broadcastReadMarkSharingChange = (
  context: AppContext,
  conversations: readonly { id: number; pair: string | null }[],
  data: v.InferInput<Events['ReadMarkSharingChanged']>,
) =>
  broadcast(
    context,
    conversations.map(({ id, pair }) => toChannelNameOfStoredConversation(id, pair)),
    'ReadMarkSharingChanged',
    data,
    [data.user_id],
  )

/**
 * Sends an event to all windows of a member: the member may have lost or gained access to the private chat
 * with another person.
 */
export const broadcastPrivateChatAccessChangeToMember = (
  context: AppContext,
  member: number,
  other: number,
) => broadcast(context, [toMemberChannelName(member)], 'ChatAccessChanged', { userId: other }, [])

/**
 * Ends the subscriptions of one member (of all members if `member` is undefined) to the channels of a group.
 */
export function endGroupChannelSubscriptions({ realtime }: AppContext, group: number, member?: number) {
  for (const channel of [
    toGroupChannelName(group),
    fillChannelNameParameters(chatChannelDefinitions.groupPresence, { group }),
  ])
    realtime.revoke({ channel, ...(member !== undefined && { user: member }) })
}
