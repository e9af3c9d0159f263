import type { ConversationMessage } from './conversation.ts'
import type { MessageStore } from './message-store.ts'
import { SeenByDialog } from './SeenByDialog.tsx'

export type MessageDialogKind = 'seenBy'

export interface MessageDialogProps {
  kind: MessageDialogKind
  message: ConversationMessage
  store: MessageStore
  onClose: () => void
}

/** The dialog that an item of a message’s menu opens. Its code is loaded when it opens for the first time. */
export default function MessageDialog({ message, onClose }: MessageDialogProps) {
  return <SeenByDialog message={message} onClose={onClose} />
}
