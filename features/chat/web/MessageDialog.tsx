import type { ShownMessage } from './conversation.ts'
import { ForwardMessageDialog } from './ForwardMessageDialog.tsx'
import { MessageSeenByDialog } from './MessageSeenByDialog.tsx'
import type { MessageStore } from './message-store.ts'

export type MessageDialogKind = 'seenBy' | 'forward'

export interface MessageDialogProps {
  kind: MessageDialogKind
  message: ShownMessage
  store: MessageStore
  onClose: () => void
}

/**
 * Renders the dialog that an item of a message’s menu opens. The browser loads this code when such a dialog
 * opens for the first time.
 */
export default function MessageDialog({ kind, message, onClose }: MessageDialogProps) {
  if (kind === 'forward') return <ForwardMessageDialog message={message} onClose={onClose} />
  return <MessageSeenByDialog message={message} onClose={onClose} />
}
