import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { codePointLength } from '#core/contract.ts'
import { MOST_IMAGES } from '#features/posts/contract.ts'
import { choose, type Picked } from '#features/posts/web/choose-pictures.ts'
import { composerText } from '#features/posts/web/composer-text.ts'
import { isHttpError } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { hasMouse, isSendMessage } from '#web/keyboard.ts'
import { toast } from '#web/ui/Toasts.tsx'
import { MESSAGE_LENGTH } from '../contract.ts'
import { useDraft } from './drafts.ts'
import type { Message } from './message.ts'
import type { MessageStore } from './message-store.ts'
import { chatText } from './text.ts'
import { useTellTyping } from './typing.ts'

/**
 * What the message box holds, and what its buttons and keys do: a new message, or an old one that is
 * edited.
 */
export function useMessageBox(store: MessageStore, lastOwn: Message | undefined) {
  const composer = useText(composerText)
  const { me, conversation } = store
  const field = useRef<HTMLTextAreaElement>(null)
  const focus = () => field.current?.focus()
  const draft = useDraft(me.id, conversation)
  const [notes, setNotes] = useState<string[]>([])
  const edit = useEdit(store, draft.write, focus)
  const tellTyping = useTellTyping(conversation, me.id)
  useFocusAtStart(field)
  const stopTyping = useEffectEvent(() => tellTyping(''))
  useEffect(() => () => stopTyping(), [])

  const write = (text: string) => {
    draft.write(text)
    tellTyping(text)
  }
  function submit() {
    // The field knows best: a spelling checker may change its text without an event.
    const written = field.current!.value.trim()
    if (codePointLength(written) > MESSAGE_LENGTH) return
    if (edit.message) return void edit.save(written)
    if (!written && !draft.pictures.length) return
    store.send(written, draft.pictures)
    draft.setPictures([])
    setNotes([])
    write('')
    focus()
  }
  function addFiles(files: readonly File[]) {
    if (edit.message) return
    const chosen = choose(files, draft.pictures.length, composer)
    setNotes(chosen.notes)
    draft.setPictures([...draft.pictures, ...chosen.picked])
  }
  /** Puts a message back that could not be sent. */
  function putBack(text: string, pictures: readonly Picked[]) {
    edit.leave()
    draft.setPictures([...draft.pictures, ...pictures].slice(0, MOST_IMAGES))
    write([draft.text, text].filter(Boolean).join('\n'))
  }
  function onKeyDown(event: KeyboardEvent) {
    const run = isSendMessage(event)
      ? submit
      : event.key === 'Escape' && edit.message
        ? edit.leave
        : event.key === 'ArrowUp' && !field.current!.value && lastOwn && !edit.message
          ? () => edit.begin(lastOwn)
          : null
    if (!run) return
    event.preventDefault()
    run()
  }

  return {
    field,
    focus,
    text: edit.message ? edit.text : draft.text,
    pictures: draft.pictures,
    setPictures: draft.setPictures,
    notes,
    edit,
    onText: edit.message ? edit.write : write,
    onBlur: () => tellTyping(''),
    onKeyDown,
    submit,
    addFiles,
    putBack,
  }
}

/** Editing a message of one's own. The draft of a new message stays as it is meanwhile. */
function useEdit(store: MessageStore, keepAsDraft: (text: string) => void, focus: () => void) {
  const t = useText(chatText)
  const [message, setMessage] = useState<Message | null>(null)
  const [text, write] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isSaving, setIsSaving] = useState(false)

  const begin = (next: Message) => {
    setMessage(next)
    setError(null)
    write(next.message)
    focus()
  }
  const leave = () => {
    setMessage(null)
    setError(null)
    focus()
  }
  async function save(written: string) {
    if (!message || !written || isSaving) return
    setIsSaving(true)
    try {
      if (written !== message.message) await store.edit(message, written)
      leave()
    } catch (failure) {
      if (isHttpError(failure, 404)) {
        // It was deleted elsewhere: the text becomes the draft of a new message.
        setMessage(null)
        setError(null)
        keepAsDraft(written)
        toast(t.changed, { kind: 'bad' })
      } else setError(failure)
    }
    setIsSaving(false)
  }
  return { message, text, error, isSaving, begin, write, leave, save }
}

/** Puts the cursor behind the draft, and the focus into the field where that opens no on-screen keyboard. */
function useFocusAtStart(field: React.RefObject<HTMLTextAreaElement | null>) {
  useLayoutEffect(() => {
    const end = field.current!.value.length
    field.current!.setSelectionRange(end, end)
    if (hasMouse()) field.current!.focus({ preventScroll: true })
  }, [field])
}
