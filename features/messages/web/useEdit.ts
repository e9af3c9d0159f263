import { useLayoutEffect, useRef, useState } from 'react'
import { hasStatus, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { showToast } from '#web/ui/Toasts.tsx'
import type { ShownMessage } from './conversation.ts'
import type { MessageStore } from './store.ts'
import { messageText } from './text.ts'

/**
 * The draft of a new message does not change during the edit. While a text is being saved, the user can go on
 * writing, or edit another message.
 */
export function useMessageEdit(store: MessageStore, keepAsDraft: (text: string) => void, focus: () => void) {
  const t = useText(messageText)
  const explain = useErrorText()
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

  /** Keeps the edit if the user has changed the text again or edits another message. */
  function onSaved(message: ShownMessage, saved: string) {
    const now = latest.current
    if (now?.message.id !== message.id) return
    if (now.text.trim() === saved) cancel()
    else show({ ...now, message: { ...message, message: saved } })
  }
  function onFailed(message: ShownMessage, written: string, failure: unknown) {
    const isShown = latest.current?.message.id === message.id
    if (hasStatus(failure, 404)) {
      // 404: the message was deleted in another window. Its text becomes the draft of a new message.
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
