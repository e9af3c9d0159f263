import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import type { ShownMessage } from './conversation.ts'
import { type MessageStore, toConversationChannelName } from './message-store.ts'

/**
 * Returns the reference to a message that other features, such as `reactions`, get when they add their own
 * content to the message.
 */
export const toMessageInfoForAddedContent = (
  { id, created_at: createdAt, author }: ShownMessage,
  { conversation, me }: MessageStore,
): PostReplyOrMessageInfo => ({
  ...{ kind: 'message', id, createdAt, isOwn: author.id === me.id },
  channel: toConversationChannelName(conversation, me.id),
})
