import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { countCodePoints } from '#core/unicode.ts'
import { composerText } from '#features/posts/web/composer-text.ts'
import {
  addPicturesUpToLimit,
  checkAndPreparePictures,
  countExcessPictures,
} from '#features/posts/web/prepare-pictures.ts'
import { useText } from '#web/i18n.ts'
import { hasMouse, isSendMessageKey } from '#web/keyboard.ts'
import { MAX_MESSAGE_LENGTH } from '../contract.ts'
import { toMessageDraftKey } from './ConversationRow.tsx'
import type { ConversationMessage, UnsentMessage } from './conversation.ts'
import { type MessageStore, toQuoted } from './message-store.ts'
import { useSendTyping } from './typing.tsx'
import { useMessageDraft } from './useMessageDraft.ts'
import { useMessageEdit } from './useMessageEdit.ts'

export type MessageBoxState = ReturnType<typeof useMessageBox>

/**
 * Returns the state and the actions of the message box, both for a new message and for a message that the
 * user edits.
 */
export function useMessageBox(
  store: MessageStore,
  lastOwnMessage: ConversationMessage | undefined,
  isWaiting: boolean,
) {
  const composerTexts = useText(composerText)
  const { me, conversation } = store
  const field = useRef<HTMLTextAreaElement>(null)
  const focus = () => field.current?.focus()
  const draft = useMessageDraft(toMessageDraftKey(me.id, conversation))
  const [warnings, setWarnings] = useState<string[]>([])
  const edit = useMessageEdit(store, draft.setText, focus)
  const sendTyping = useSendTyping(conversation, me.id)
  useInitialFocus(field)
  const stopTyping = useEffectEvent(() => sendTyping(''))
  useEffect(() => () => stopTyping(), [])

  const changeText = (text: string) => {
    draft.setText(text)
    sendTyping(text)
  }
  function submit() {
    // Reads the value from the field, because a spelling checker may change it without an event.
    const value = field.current!.value.trim()
    if (countCodePoints(value) > MAX_MESSAGE_LENGTH) return
    if (edit.message) return void edit.save(value)
    if (isWaiting || countExcessPictures(draft.pictures) || (!value && !draft.pictures.length)) return
    store.send(value, draft.pictures, draft.quoted ?? undefined)
    draft.setPictures([])
    draft.setQuoted(null)
    setWarnings([])
    changeText('')
    focus()
  }
  async function addFiles(files: readonly File[]) {
    if (edit.message) return
    const chosen = await checkAndPreparePictures(files, draft.pictures.length, composerTexts)
    setWarnings(chosen.warnings)
    draft.setPictures((now) => addPicturesUpToLimit(now, chosen.picked))
  }
  /** Begins an answer to a message. */
  function reply(message: ConversationMessage) {
    edit.cancel()
    draft.setQuoted(toQuoted(message))
    focus()
  }
  function cancelReply() {
    draft.setQuoted(null)
    focus()
  }
  /** Moves the text, the pictures and the quote of a failed message back into the draft. */
  function restore({ text, pictures, quoted }: Pick<UnsentMessage, 'text' | 'pictures' | 'quoted'>) {
    edit.cancel()
    draft.setQuoted(quoted ?? null)
    draft.setPictures([...draft.pictures, ...pictures])
    changeText([draft.text, text].filter(Boolean).join('\n'))
  }
  function actionOf(event: KeyboardEvent) {
    if (isSendMessageKey(event)) return submit
    if (edit.message) return event.key === 'Escape' && edit.cancel
    if (event.key === 'Escape') return draft.quoted && cancelReply
    return (
      event.key === 'ArrowUp' && !field.current!.value && lastOwnMessage && (() => edit.start(lastOwnMessage))
    )
  }
  function onKeyDown(event: KeyboardEvent) {
    const action = actionOf(event)
    if (!action) return
    event.preventDefault()
    action()
  }
  const text = edit.message ? edit.text : draft.text
  const onText = edit.message ? edit.setText : changeText
  const onBlur = () => sendTyping('')
  const { pictures, setPictures } = draft
  return {
    field,
    focus,
    text,
    onText,
    onBlur,
    onKeyDown,
    pictures,
    setPictures,
    addFiles,
    warnings,
    edit,
    isWaiting,
    submit,
    restore,
    reply,
    quoted: draft.quoted,
    cancelReply,
  }
}

/**
 * Puts the cursor at the end of the draft when the message box appears. Also focuses the field, except on
 * devices where that would open an on-screen keyboard.
 */
function useInitialFocus(field: RefObject<HTMLTextAreaElement | null>) {
  useLayoutEffect(() => {
    const end = field.current!.value.length
    field.current!.setSelectionRange(end, end)
    if (hasMouse()) field.current!.focus({ preventScroll: true })
  }, [field])
}
