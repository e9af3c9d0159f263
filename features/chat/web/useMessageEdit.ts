import { useState } from 'react'
import { isErrorWithStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { showToast } from '#web/ui/Toasts.tsx'
import type { ShownMessage } from './conversation.ts'
import type { MessageStore } from './message-store.ts'
import { chatText } from './text.ts'

/**
 * Returns the state of the edit of a message that the user wrote, and the functions that change this state.
 * The draft of a new message does not change during the edit.
 */
export function useMessageEdit(store: MessageStore, keepAsDraft: (text: string) => void, focus: () => void) {
  const t = useText(chatText)
  const [message, setMessage] = useState<ShownMessage | null>(null)
  const [text, setText] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isSaving, setIsSaving] = useState(false)

  const show = (next: ShownMessage | null) => {
    setMessage(next)
    setError(null)
  }
  const start = (next: ShownMessage) => {
    show(next)
    setText(next.message)
    focus()
  }
  const cancel = () => {
    show(null)
    focus()
  }
  async function save(written: string) {
    if (!message || !written || isSaving) return
    setIsSaving(true)
    try {
      if (written !== message.message) await store.edit(message, written)
      cancel()
    } catch (failure) {
      if (isErrorWithStatus(failure, 404)) {
        // A 404 means that the message was deleted in another window. Turns the edited text into the draft of
        // a new message, so that the text is not lost.
        show(null)
        keepAsDraft(written)
        showToast(t.deletedElsewhere, { kind: 'error' })
      } else setError(failure)
    }
    setIsSaving(false)
  }
  return { message, text, error, isSaving, start, setText, cancel, save }
}
