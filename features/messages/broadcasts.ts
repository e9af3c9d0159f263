import type { AppContext } from '#core/context.ts'
import * as channels from '#features/conversations/channels.ts'
import type { GroupMessage, PrivateMessage } from '#features/conversations/message-schemas.ts'
import type { LiveQuote } from './quotes.ts'
import type { LiveForward } from './read-forwards.ts'

/** The server records the delivery of new messages only, so this is undefined for a changed one. */
const toTraceOfNew = (
  event: `${string}Sent` | `${string}Changed`,
  id: number,
): channels.MessageTrace | undefined => (event.endsWith('Sent') ? { kind: 'message', id } : undefined)

/** A message has at most one of the two. Each names a person other than the author of the message. */
export interface QuoteOrForward {
  quote: LiveQuote | null
  forward?: LiveForward | null
}

/**
 * Both people get it, also if one has muted the other. A recipient who may not see, or has muted, the author
 * of the forwarded original gets it without that author's name.
 */
export function privateMessage(
  context: AppContext,
  event: 'PrivateMessageSent' | 'PrivateMessageChanged',
  { quoted: _, forwarded: __, ...message }: PrivateMessage,
  { quote, forward }: QuoteOrForward,
) {
  const people = [message.from_user_id, message.to_user_id] as const
  const to = [channels.privateChat(...people), ...people.map(channels.member)]
  const trace = toTraceOfNew(event, message.id)
  if (!forward?.from) {
    const part = forward ? { forwarded: { from: null } } : quote && { quoted: quote.quoted }
    return channels.broadcast(context, to, event, { ...message, ...part }, people, { trace })
  }
  const { from, hiddenFrom } = forward
  const [others, viewers] = [true, false].map((isHidden) =>
    people.filter((id) => hiddenFrom.includes(id) === isHidden),
  )
  const about = [...new Set([...people, from.id])]
  channels.broadcast(context, to, event, { ...message, forwarded: { from } }, about, {
    onlyFor: viewers!,
    trace,
  })
  if (others!.length)
    channels.broadcast(context, to, event, { ...message, forwarded: { from: null } }, people, {
      onlyFor: others!,
      trace,
    })
}

/**
 * `members` are all members of the group. Those who may not see, or have muted, the author get nothing; if
 * that is the author of the quote or of the forwarded original, they get the message without it.
 */
export function groupMessage(
  context: AppContext,
  event: 'GroupMessageSent' | 'GroupMessageChanged',
  { group_id: groupId, user_id: userId, quoted: _, forwarded: __, ...message }: GroupMessage,
  { members, ...parts }: QuoteOrForward & { members: readonly number[] },
) {
  const recipients = channels.ofGroup(groupId, members)
  const { part, partForOthers, author, hiddenFrom } = toPartWithViewers(parts)
  const data = { groupId, userId, ...message }
  const trace = toTraceOfNew(event, message.id)
  const people = [...new Set([userId, author ?? userId])]
  const others = members.filter((id) => hiddenFrom.includes(id))
  const viewers = members.filter((id) => !hiddenFrom.includes(id))
  const options = { unlessMuted: true, inGroup: true, trace }
  channels.broadcast(context, recipients, event, { ...data, ...part }, people, {
    ...options,
    ...(others.length && { onlyFor: viewers }),
  })
  if (others.length)
    channels.broadcast(context, recipients, event, { ...data, ...partForOthers }, [userId], {
      ...options,
      onlyFor: others,
    })
}

/** Viewers in `hiddenFrom` may not see the person `author`, and get `partForOthers` instead of `part`. */
function toPartWithViewers({ quote, forward }: QuoteOrForward) {
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

/** The messages with smaller ids were removed. */
export const removedBelow = (context: AppContext, channel: string, before_id: number) =>
  channels.broadcast(context, [channel], 'MessagesRemoved', { before_id }, [])

/** The pictures and files of the messages with smaller ids were removed. */
export const filesRemovedBelow = (context: AppContext, channel: string, before_id: number) =>
  channels.broadcast(context, [channel], 'MessageImagesRemoved', { before_id }, [])

type ChangedMessage = QuoteOrForward &
  ({ private: PrivateMessage } | { private?: never; group: GroupMessage; members: readonly number[] })

/** After an edit or deletion, or when a moderator has hidden the message. */
export const messageChanged = (context: AppContext, changed: ChangedMessage) =>
  changed.private
    ? privateMessage(context, 'PrivateMessageChanged', changed.private, changed)
    : groupMessage(context, 'GroupMessageChanged', changed.group, changed)

export const pinsChanged = (context: AppContext, group_id: number) =>
  channels.broadcast(context, [channels.group(group_id)], 'PinnedMessagesChanged', { group_id }, [])
