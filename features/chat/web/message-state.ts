import type { ConversationInfo, Message } from './message.ts'
import type { Outgoing } from './outbox.ts'

/** One conversation, as every view of it reads it. */
export interface MessageState {
  status: 'loading' | 'ready' | 'failed'
  error: unknown
  info: ConversationInfo | null
  /** Oldest first, without gaps from the first one on. */
  messages: readonly Message[]
  outgoing: readonly Outgoing[]
  /** Address of the page of older messages; null at the beginning of the conversation. */
  olderUrl: string | null
  olderState: 'idle' | 'loading' | 'failed'
  /** The last message that I had read when this visit began: the divider stays after it. */
  readBeforeVisit: number
  /** The server does not let me in any more. */
  isClosed: boolean
}

export const emptyState: MessageState = {
  status: 'loading',
  error: null,
  info: null,
  messages: [],
  outgoing: [],
  olderUrl: null,
  olderState: 'idle',
  readBeforeVisit: 0,
  isClosed: false,
}
