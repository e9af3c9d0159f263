import { SeenByDialog } from '#features/conversations/web/SeenByDialog.tsx'
import type { ShownMessage } from './conversation.ts'
import { ForwardDialog } from './ForwardDialog.tsx'
import type { MessageStore } from './store.ts'

export type MessageDialogKind = 'seenBy' | 'forward'

export interface MessageDialogProps {
  kind: MessageDialogKind
  message: ShownMessage
  store: MessageStore
  onClose: () => void
}

/** Loaded when a dialog of a message's menu opens for the first time. */
export default function MessageDialog({ kind, message, onClose }: MessageDialogProps) {
  if (kind === 'forward') return <ForwardDialog message={message} onClose={onClose} />
  return <SeenByDialog message={message} onClose={onClose} />
}
