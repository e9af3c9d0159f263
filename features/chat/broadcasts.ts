import type * as v from 'valibot'
import type { AppContext, MemberContext } from '#core/context.ts'
import { fillChannelParameters } from '#core/contract.ts'
import { chatChannelDefinitions, toSortedPair } from './channel-contract.ts'
import type { GroupChange, GroupMessage, PrivateMessage } from './contract.ts'
import type { changeOwnMessage, moveReadMark } from './model.ts'

// The realtime events of chat. Each event lists the people whom its data names, so that viewers who may not
// see them do not get it. Events leave in the order of the commits, because each change and its broadcast run
// under the lock of their conversation (`withLock`); without the lock the broadcast of a later commit could
// overtake that of an earlier one.

type Events = (typeof chatChannelDefinitions)['privateChat']['events'] &
  (typeof chatChannelDefinitions)['group']['events'] &
  (typeof chatChannelDefinitions)['member']['events']

const broadcast = <E extends keyof Events & string>(
  { realtime }: AppContext,
  to: readonly string[],
  event: E,
  data: v.InferInput<Events[E]>,
  aboutUsers: readonly number[],
  fallbackData?: v.InferInput<Events[E]>,
) => realtime.broadcast(to, event, data, { aboutUsers, fallbackData })

/** The channel of a private chat. Its name is also the key of the chat's lock. */
export const toPrivateChatChannelName = (a: number, b: number) =>
  fillChannelParameters(chatChannelDefinitions.privateChat, toSortedPair(a, b))
/** The channel of a group. Its name is also the key of the group's lock. */
export const toGroupChannelName = (group: number) =>
  fillChannelParameters(chatChannelDefinitions.group, { group })
const toMemberChannelName = (user: number) => fillChannelParameters(chatChannelDefinitions.member, { user })

export const broadcastPrivateMessage = (
  context: AppContext,
  event: 'PrivateMessageSent' | 'PrivateMessageChanged',
  message: PrivateMessage,
) => {
  const { from_user_id: a, to_user_id: b } = message
  broadcast(
    context,
    [toPrivateChatChannelName(a, b), toMemberChannelName(a), toMemberChannelName(b)],
    event,
    message,
    [a, b],
  )
}

/** Broadcasts a new or changed message of a group to its members. `members` are their ids. */
export const broadcastGroupMessage = (
  context: AppContext,
  event: 'GroupMessageSent' | 'GroupMessageChanged',
  { group_id: groupId, user_id: userId, ...message }: GroupMessage,
  members: readonly number[],
) => broadcast(context, groupRecipients(groupId, members), event, { groupId, userId, ...message }, [userId])

const groupRecipients = (group: number, members: readonly number[]) => [
  toGroupChannelName(group),
  ...members.map(toMemberChannelName),
]

/** Broadcasts an edited or deleted message. */
export const broadcastMessageChange = (
  context: AppContext,
  changed: Awaited<ReturnType<typeof changeOwnMessage>>,
) =>
  changed.private
    ? broadcastPrivateMessage(context, 'PrivateMessageChanged', changed.private)
    : broadcastGroupMessage(context, 'GroupMessageChanged', changed.group, changed.members)

/**
 * Broadcasts a change of a group to its members, and to the person who was removed. Recipients who may not
 * see the people in it get it without the people, because they still have to learn of a new name or of the
 * deletion.
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
  broadcast(
    context,
    groupRecipients(groupId, recipients),
    'GroupChanged',
    { groupId, change },
    people,
    fallbackData,
  )
}

/**
 * Sends the new read mark to the channel of the conversation, and the number of unread messages to all
 * windows of the member.
 */
export function broadcastReadMark(
  context: MemberContext,
  channel: string,
  { last_read_id, unread }: Awaited<ReturnType<typeof moveReadMark>>,
  conversation: { userId: number | null; groupId: number | null },
) {
  broadcast(context, [channel], 'MessagesRead', { user_id: context.me.id, last_read_id }, [context.me.id])
  broadcast(context, [toMemberChannelName(context.me.id)], 'UnreadChanged', { ...conversation, unread }, [])
}

/**
 * Tells all windows of a member that the member may have lost access to the private chat with another person.
 */
export const broadcastChatAccessChange = (context: AppContext, member: number, other: number) =>
  broadcast(context, [toMemberChannelName(member)], 'ChatAccessChanged', { userId: other }, [])

/** Ends the subscriptions of one member, or of all members, to the channels of a group. */
export function endGroupSubscriptions({ realtime }: AppContext, group: number, member?: number) {
  for (const channel of [
    toGroupChannelName(group),
    fillChannelParameters(chatChannelDefinitions.groupPresence, { group }),
  ])
    realtime.revoke({ channel, ...(member !== undefined && { user: member }) })
}
