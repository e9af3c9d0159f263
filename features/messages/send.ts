import type { MemberContext } from '#core/context.ts'
import * as broadcasts from '#features/conversations/broadcasts.ts'
import * as messageBroadcasts from './broadcasts.ts'
import { type NewMessage, storeInGroup, storePrivate } from './model.ts'

// Callers hold the lock of the conversation. Only a new message is broadcast.

export async function sendPrivate(context: MemberContext, other: number, given: NewMessage) {
  const stored = await storePrivate(context, other, given)
  tellPrivate(context, other, stored)
  return stored.message
}

export async function sendToGroup(context: MemberContext, group: number, given: NewMessage) {
  const stored = await storeInGroup(context, group, given)
  tellGroup(context, stored)
  return stored.message
}

/** After the commit. */
export function tellPrivate(
  context: MemberContext,
  other: number,
  { message, isNew, isMuted, ...parts }: Awaited<ReturnType<typeof storePrivate>>,
) {
  if (isNew) messageBroadcasts.privateMessage(context, 'PrivateMessageSent', message, parts)
  if (isNew && isMuted) broadcasts.zeroUnread(context, other, context.me.id)
}

/** After the commit. */
export function tellGroup(
  context: MemberContext,
  { message, isNew, ...sent }: Awaited<ReturnType<typeof storeInGroup>>,
) {
  if (isNew) messageBroadcasts.groupMessage(context, 'GroupMessageSent', message, sent)
}
