import type { ShownMessage, UnsentMessage } from './conversation.ts'
import type { MessageDialogKind } from './Dialog.tsx'
import type { MessageStore } from './store.ts'

export interface MessageActions {
  store: MessageStore
  reply: (message: ShownMessage) => void
  /** As `reply`; does nothing if the message is not loaded. */
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
  actions: MessageActions
}
