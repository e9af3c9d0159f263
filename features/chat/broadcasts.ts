import type * as v from 'valibot'
import type { AppContext, MemberContext } from '#core/context.ts'
import { channelName } from '#core/contract.ts'
import { channels, type GroupChange, type GroupMessage, type PrivateMessage, pairOf } from './contract.ts'
import type { changeOwn, markRead } from './model.ts'

// The realtime events of chat. Each is about the people whom its data names, so it does not reach members who
// may not see them. The order of the events is the order of the commits, because each change and its
// broadcast run under the lock of their conversation (`withLock`): without it, the broadcast of a later
// commit could overtake that of an earlier one.

type Events = (typeof channels)['pair']['events'] &
  (typeof channels)['group']['events'] &
  (typeof channels)['user']['events']

const broadcast = <E extends keyof Events & string>(
  { realtime }: AppContext,
  to: readonly string[],
  event: E,
  data: v.InferInput<Events[E]>,
  about: readonly number[],
  otherwise?: v.InferInput<Events[E]>,
) => realtime.broadcast(to, event, data, { about, otherwise })

/** The channel of a private chat. Its name is also the key of the chat's lock. */
export const privateChannel = (a: number, b: number) => channelName(channels.pair, pairOf(a, b))
/** The channel of a group. Its name is also the key of the group's lock. */
export const groupChannel = (group: number) => channelName(channels.group, { group })
const userChannel = (user: number) => channelName(channels.user, { user })

export const broadcastPrivate = (
  context: AppContext,
  event: 'PrivateMessageSent' | 'PrivateMessageChanged',
  message: PrivateMessage,
) => {
  const { from_user_id: a, to_user_id: b } = message
  broadcast(context, [privateChannel(a, b), userChannel(a), userChannel(b)], event, message, [a, b])
}

/** `members` are the ids of the group's members. */
export const broadcastGroup = (
  context: AppContext,
  event: 'GroupMessageSent' | 'GroupMessageChanged',
  { group_id: groupId, user_id: userId, ...message }: GroupMessage,
  members: readonly number[],
) => broadcast(context, toGroup(groupId, members), event, { groupId, userId, ...message }, [userId])

const toGroup = (group: number, members: readonly number[]) => [
  groupChannel(group),
  ...members.map(userChannel),
]

/** Broadcasts an edited or deleted message. */
export const broadcastMessageChange = (
  context: AppContext,
  changed: Awaited<ReturnType<typeof changeOwn>>,
) =>
  changed.private
    ? broadcastPrivate(context, 'PrivateMessageChanged', changed.private)
    : broadcastGroup(context, 'GroupMessageChanged', changed.group, changed.members)

/**
 * Broadcasts a change to the members of a group, and to the person who was removed. Recipients who may not
 * see the people that it names get it without them, since it may rename or end the group.
 */
export function broadcastGroupChange(
  context: AppContext,
  groupId: number,
  change: GroupChange,
  recipients: readonly number[],
) {
  const { actor, person } = change
  const people = [actor, person].filter((one) => one !== null).map(({ id }) => id)
  const otherwise = { groupId, change: { ...change, actor: null, person: null } }
  broadcast(context, toGroup(groupId, recipients), 'GroupChanged', { groupId, change }, people, otherwise)
}

/**
 * Sends the new read mark to the conversation, and the number of unread messages to the member's own windows.
 */
export function broadcastRead(
  context: MemberContext,
  channel: string,
  { last_read_id, unread }: Awaited<ReturnType<typeof markRead>>,
  conversation: { userId: number | null; groupId: number | null },
) {
  broadcast(context, [channel], 'MessagesRead', { user_id: context.me.id, last_read_id }, [context.me.id])
  broadcast(context, [userChannel(context.me.id)], 'UnreadChanged', { ...conversation, unread }, [])
}

/** Tells a member's own windows that the private chat with another person may be closed to them now. */
export const broadcastAccessChanged = (context: AppContext, member: number, other: number) =>
  broadcast(context, [userChannel(member)], 'ChatAccessChanged', { userId: other }, [])

/** Ends the subscriptions to a group of one member, or of everybody. */
export function revokeGroup({ realtime }: AppContext, group: number, member?: number) {
  for (const channel of [groupChannel(group), channelName(channels.room, { group })])
    realtime.revoke({ channel, ...(member !== undefined && { member }) })
}
