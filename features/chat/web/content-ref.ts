import type { ContentRef } from '#web/AddedContentParts.tsx'
import type { ConversationMessage } from './conversation.ts'
import { type MessageStore, toConversationChannelName } from './message-store.ts'

/** Returns a message as later features know it, which add parts to messages. */
export const toContentRef = (
  { id, created_at: createdAt }: ConversationMessage,
  { conversation, me }: MessageStore,
): ContentRef => ({
  ...{ kind: 'message', id, createdAt },
  channel: toConversationChannelName(conversation, me.id),
})
