import type { ContentInfo } from '#web/AddedContentParts.tsx'
import type { ShownMessage } from './conversation.ts'
import { channelOf, type MessageStore } from './store.ts'

/** For features that add content to messages, such as `reactions`. */
export const toContentRef = (
  { id, created_at: createdAt, author }: ShownMessage,
  { conversation, me }: MessageStore,
): ContentInfo => ({
  ...{ kind: 'message', id, createdAt, isOwn: author.id === me.id },
  channel: channelOf(conversation, me.id),
})
