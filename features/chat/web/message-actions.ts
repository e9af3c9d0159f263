import type { ShownMessage, UnsentMessage } from './conversation.ts'
import type { MessageDialogKind } from './MessageDialog.tsx'
import type { MessageStore } from './message-store.ts'

export interface MessageActionHandlers {
  store: MessageStore
  reply: (message: ShownMessage) => void
  /**
   * Begins a reply to the message with this id, as `reply` does. Does nothing if the message is not loaded.
   */
  replyTo: (id: number) => void
  edit: (message: ShownMessage) => void
  remove: (message: ShownMessage) => void
  openDialog: (kind: MessageDialogKind, message: ShownMessage) => void
  retry: (message: UnsentMessage) => void
  discard: (message: UnsentMessage) => void
  restoreToDraft: (message: UnsentMessage) => void
}

export interface MessageMenuProps {
  message: ShownMessage
  isOwn: boolean
  actions: MessageActionHandlers
}
