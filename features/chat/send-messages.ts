import type { MemberContext } from '#core/context.ts'
import {
  broadcastNewOrChangedGroupMessage,
  broadcastNewOrChangedPrivateMessage,
  broadcastZeroUnreadOfChatWithMutedPerson,
} from './broadcasts.ts'
import { type NewMessage, storeGroupMessage, storePrivateMessage } from './model.ts'

// The functions of this file store a message and broadcast it. Their callers hold the lock of the
// conversation.

/** Stores a private message of the current member, and broadcasts it if it is new. */
export async function sendPrivateMessage(context: MemberContext, other: number, given: NewMessage) {
  const { message, isNew, isMuted, ...parts } = await storePrivateMessage(context, other, given)
  if (isNew) broadcastNewOrChangedPrivateMessage(context, 'PrivateMessageSent', message, parts)
  if (isNew && isMuted) broadcastZeroUnreadOfChatWithMutedPerson(context, other, context.me.id)
  return message
}

/** Stores a message of the current member to a group, and broadcasts it if it is new. */
export async function sendGroupMessage(context: MemberContext, group: number, given: NewMessage) {
  const { message, isNew, ...sent } = await storeGroupMessage(context, group, given)
  if (isNew) broadcastNewOrChangedGroupMessage(context, 'GroupMessageSent', message, sent)
  return message
}
