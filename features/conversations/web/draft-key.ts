import type { ConversationRef } from './state.ts'
import { keyOf } from './state.ts'

/** Of a message that is being written. */
export const draftKey = (me: number, conversation: ConversationRef) =>
  `engawa:talk:${me}:${keyOf(conversation)}`
