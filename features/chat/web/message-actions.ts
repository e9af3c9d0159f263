import type { ConversationMessage, UnsentMessage } from './conversation.ts'
import type { MessageDialogKind } from './MessageDialog.tsx'
import type { MessageStore } from './message-store.ts'

export interface MessageActionHandlers {
  store: MessageStore
  reply: (message: ConversationMessage) => void
  /** Does the same as `reply` with the message that has this id, if it is loaded. */
  replyTo: (id: number) => void
  edit: (message: ConversationMessage) => void
  remove: (message: ConversationMessage) => void
  openDialog: (kind: MessageDialogKind, message: ConversationMessage) => void
  retry: (message: UnsentMessage) => void
  discard: (message: UnsentMessage) => void
  restoreToDraft: (message: UnsentMessage) => void
}

export interface MessageMenuProps {
  message: ConversationMessage
  isOwn: boolean
  actions: MessageActionHandlers
}
