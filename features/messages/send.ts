import type { MemberContext } from '#core/context.ts'
import * as broadcasts from '#features/conversations/broadcasts.ts'
import * as messageBroadcasts from './broadcasts.ts'
import { type NewMessage, storeInGroup, storePrivate } from './model.ts'

// Callers hold the lock of the conversation. Only a new message is broadcast.

export async function sendPrivate(context: MemberContext, other: number, given: NewMessage) {
  const { message, isNew, isMuted, ...parts } = await storePrivate(context, other, given)
  if (isNew) messageBroadcasts.privateMessage(context, 'PrivateMessageSent', message, parts)
  if (isNew && isMuted) broadcasts.zeroUnread(context, other, context.me.id)
  return message
}

export async function sendToGroup(context: MemberContext, group: number, given: NewMessage) {
  const { message, isNew, ...sent } = await storeInGroup(context, group, given)
  if (isNew) messageBroadcasts.groupMessage(context, 'GroupMessageSent', message, sent)
  return message
}
