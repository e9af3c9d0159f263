import type { ShownMessage } from './conversation.ts'
import { ForwardDialog } from './ForwardDialog.tsx'
import type { MessageStore } from './message-store.ts'
import { SeenByDialog } from './SeenByDialog.tsx'

export type MessageDialogKind = 'seenBy' | 'forward'

export interface MessageDialogProps {
  kind: MessageDialogKind
  message: ShownMessage
  store: MessageStore
  onClose: () => void
}

/** The dialog that an item of a message’s menu opens. Its code is loaded when it opens for the first time. */
export default function MessageDialog({ kind, message, onClose }: MessageDialogProps) {
  if (kind === 'forward') return <ForwardDialog message={message} onClose={onClose} />
  return <SeenByDialog message={message} onClose={onClose} />
}
