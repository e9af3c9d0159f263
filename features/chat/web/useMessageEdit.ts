import { useLayoutEffect, useRef, useState } from 'react'
import { isErrorWithStatus, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { showToast } from '#web/ui/Toasts.tsx'
import type { ShownMessage } from './conversation.ts'
import type { MessageStore } from './message-store.ts'
import { chatText } from './text.ts'

/**
 * Returns the state of the edit of a message that the user wrote, and the functions that change this state.
 * The draft of a new message does not change during the edit. The user can go on writing, or edit another
 * message, while a text is being saved.
 */
export function useMessageEdit(store: MessageStore, keepAsDraft: (text: string) => void, focus: () => void) {
  const t = useText(chatText)
  const explain = useErrorFormatter()
  const [edit, setEdit] = useState<{ message: ShownMessage; text: string } | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [savingId, setSavingId] = useState<number | null>(null)
  const latest = useRef(edit)
  useLayoutEffect(() => {
    latest.current = edit
  })

  const show = (next: typeof edit) => {
    setEdit(next)
    setError(null)
  }
  const start = (message: ShownMessage) => {
    show({ message, text: message.message })
    focus()
  }
  const cancel = () => {
    show(null)
    focus()
  }
  const setText = (text: string) => setEdit((now) => now && { ...now, text })

  /** Ends the edit of a saved message, unless the user has changed the text again or edits another one. */
  function onSaved(message: ShownMessage, saved: string) {
    const now = latest.current
    if (now?.message.id !== message.id) return
    if (now.text.trim() === saved) cancel()
    else show({ ...now, message: { ...message, message: saved } })
  }
  function onFailed(message: ShownMessage, written: string, failure: unknown) {
    const isShown = latest.current?.message.id === message.id
    if (isErrorWithStatus(failure, 404)) {
      // A 404 means that the message was deleted in another window. Turns the edited text into the draft of a
      // new message, so that the text is not lost.
      if (isShown) show(null)
      keepAsDraft(isShown ? latest.current!.text : written)
      showToast(t.deletedElsewhere, { kind: 'error' })
    } else if (isShown) setError(failure)
    else showToast(explain(failure), { kind: 'error' })
  }
  async function save(written: string) {
    if (!edit || !written || savingId === edit.message.id) return
    const { message } = edit
    setSavingId(message.id)
    try {
      if (written !== message.message) await store.edit(message, written)
      onSaved(message, written)
    } catch (failure) {
      onFailed(message, written, failure)
    }
    setSavingId((now) => (now === message.id ? null : now))
  }
  const message = edit?.message ?? null
  const isSaving = message !== null && savingId === message.id
  return { message, text: edit?.text ?? '', error, isSaving, start, setText, cancel, save }
}
