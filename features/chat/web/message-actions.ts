import type { ShownMessage, UnsentMessage } from './conversation.ts'
import type { MessageDialogKind } from './MessageDialog.tsx'
import type { MessageStore } from './message-store.ts'

export interface MessageActionHandlers {
  store: MessageStore
  reply: (message: ShownMessage) => void
  /** Does the same as `reply` with the message that has this id, if it is loaded. */
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
