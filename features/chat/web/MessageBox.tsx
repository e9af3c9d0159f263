import './message-box.css'
import { Check, ImagePlus, SendHorizontal, X } from 'lucide-react'
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { countCodePoints } from '#core/contract.ts'
import { MAX_IMAGES } from '#features/posts/contract.ts'
import { composerText } from '#features/posts/web/composer-text.ts'
import { CharactersLeft, DescriptionDialog } from '#features/posts/web/DescriptionDialogs.tsx'
import { PickedPictureTiles } from '#features/posts/web/PickedPictureTiles.tsx'
import { type PickedPicture, preparePictures } from '#features/posts/web/prepare-pictures.ts'
import { isErrorWithStatus, useErrorFormatter } from '#web/errors.ts'
import { useGrowingTextArea } from '#web/field-sizing.ts'
import { useText } from '#web/i18n.ts'
import { hasMouse, isSendMessageKey } from '#web/keyboard.ts'
import { readLocalStorage, writeLocalStorage } from '#web/local-storage.ts'
import { useKeyboardShortcuts } from '#web/shortcuts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PicturePicker } from '#web/ui/PicturePicker.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { MAX_MESSAGE_LENGTH } from '../contract.ts'
import { messageDraftKey } from './ConversationRow.tsx'
import type { Message } from './conversation.ts'
import type { MessageStore } from './message-store.ts'
import { chatText } from './text.ts'
import { useSendTyping } from './typing.tsx'

/** The number of characters that may still be typed is shown only if it is at most this. */
const SHOW_COUNT_BELOW = 100

type MessageBoxState = ReturnType<typeof useMessageBox>
export type MessageBoxHandle = Pick<MessageBoxState, 'addFiles' | 'restore' | 'focus'> & {
  edit: (message: Message) => void
}

interface MessageBoxProps {
  store: MessageStore
  /** The user's last message that can be edited; undefined if there is none. */
  lastOwnMessage: Message | undefined
  ref: Ref<MessageBoxHandle>
}

/** The form for a new message, or for one that is being edited. */
export function MessageBox({ store, lastOwnMessage, ref }: MessageBoxProps) {
  const t = useText(chatText)
  const explain = useErrorFormatter()
  const box = useMessageBox(store, lastOwnMessage)
  const { edit, focus, addFiles, restore, pictures, setPictures, warnings } = box
  const [describing, setDescribing] = useState<PickedPicture | null>(null)
  useImperativeHandle(ref, () => ({ edit: edit.start, addFiles, restore, focus }))
  useKeyboardShortcuts(t.shortcutsTitle, [
    { keys: ['Enter'], description: t.send },
    { keys: ['Shift Enter'], description: t.keyNewLine },
    { keys: ['ArrowUp'], description: t.keyEditLast },
    { keys: ['Escape'], description: t.keyCancelEdit },
  ])
  const describe = (alt: string | null) => {
    if (alt !== null)
      setPictures(pictures.map((one) => (one.key === describing?.key ? { ...one, alt } : one)))
    setDescribing(null)
  }
  const onSubmit = (event: React.FormEvent) => {
    event.preventDefault()
    box.submit()
  }
  return (
    <>
      <form className="message-box" onSubmit={onSubmit}>
        {edit.message && (
          <p className="editing">
            <span>{t.editing}</span>
            <Button kind="ghost" small icon={X} onClick={edit.cancel}>
              {t.cancel}
            </Button>
          </p>
        )}
        <PickedPictureTiles
          pictures={pictures}
          uploadProgress={null}
          onChange={setPictures}
          onDescribe={setDescribing}
          onEmpty={focus}
        />
        {warnings.length > 0 && <Notice kind="warning">{warnings.join(' ')}</Notice>}
        {edit.error !== null && <Notice kind="error">{explain(edit.error)}</Notice>}
        <InputRow box={box} />
      </form>
      {describing && <DescriptionDialog picture={describing} onDone={describe} />}
    </>
  )
}

/** The picture button, the text field and the send button, with the number of remaining characters below. */
function InputRow({ box }: { box: MessageBoxState }) {
  const t = useText(chatText)
  const counterId = useId()
  const { edit, text, pictures } = box
  const charactersLeft = MAX_MESSAGE_LENGTH - countCodePoints(text.trim())
  const isEmpty = !text.trim() && !pictures.length
  const isEditing = edit.message !== null
  useGrowingTextArea(box.field, text)
  return (
    <>
      <div className="input-row">
        <PicturePicker
          label={t.addPicture}
          kind="ghost icon-only"
          icon={ImagePlus}
          multiple
          disabled={isEditing || pictures.length === MAX_IMAGES}
          onPick={box.addFiles}
        />
        <textarea
          ref={box.field}
          rows={1}
          dir="auto"
          aria-label={t.enterMessage}
          placeholder={t.enterMessage}
          aria-describedby={charactersLeft > SHOW_COUNT_BELOW ? undefined : counterId}
          enterKeyHint={hasMouse() ? 'send' : 'enter'}
          value={text}
          onChange={(event) => box.onText(event.target.value)}
          onKeyDown={box.onKeyDown}
          onBlur={box.onBlur}
        />
        <Button
          kind="primary"
          type="submit"
          pending={edit.isSaving}
          disabled={isEmpty || charactersLeft < 0}
          label={isEditing ? t.save : t.send}
        >
          <span className="label">{isEditing ? t.save : t.send}</span>
          <Icon icon={isEditing ? Check : SendHorizontal} className="send-icon" />
        </Button>
      </div>
      {charactersLeft <= SHOW_COUNT_BELOW && <CharactersLeft count={charactersLeft} id={counterId} />}
    </>
  )
}

/**
 * Returns the state and the actions of the message box, both for a new message and for one that is being
 * edited.
 */
function useMessageBox(store: MessageStore, lastOwnMessage: Message | undefined) {
  const composerTexts = useText(composerText)
  const { me, conversation } = store
  const field = useRef<HTMLTextAreaElement>(null)
  const focus = () => field.current?.focus()
  const draft = useMessageDraft(messageDraftKey(me.id, conversation))
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
    if (!value && !draft.pictures.length) return
    store.send(value, draft.pictures)
    draft.setPictures([])
    setWarnings([])
    changeText('')
    focus()
  }
  async function addFiles(files: readonly File[]) {
    if (edit.message) return
    const chosen = await preparePictures(files, draft.pictures.length, composerTexts)
    setWarnings(chosen.warnings)
    draft.setPictures((now) => [...now, ...chosen.picked].slice(0, MAX_IMAGES))
  }
  /** Moves the text and the pictures of a failed message back into the draft. */
  function restore(text: string, pictures: readonly PickedPicture[]) {
    edit.cancel()
    draft.setPictures([...draft.pictures, ...pictures].slice(0, MAX_IMAGES))
    changeText([draft.text, text].filter(Boolean).join('\n'))
  }
  function actionOf(event: KeyboardEvent) {
    if (isSendMessageKey(event)) return submit
    if (edit.message) return event.key === 'Escape' && edit.cancel
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
    submit,
    restore,
  }
}

/**
 * The chosen pictures of each conversation, by draft key. They are kept while another conversation is open.
 */
const chosenPictures = new Map<string, PickedPicture[]>()

/** The text and the pictures of a message that is being written. */
function useMessageDraft(key: string) {
  const [text, setText] = useState(() => readLocalStorage(key) ?? '')
  const [pictures, setPictures] = useState(() => chosenPictures.get(key) ?? [])
  useEffect(() => {
    chosenPictures.set(key, pictures)
  }, [key, pictures])
  const saveText = (next: string) => {
    setText(next)
    // If storage is forbidden or full, the draft is kept only until the page is closed.
    writeLocalStorage(key, next)
  }
  return { text, setText: saveText, pictures, setPictures }
}

/**
 * The state while the user edits a message of their own. The draft of a new message does not change
 * meanwhile.
 */
function useMessageEdit(store: MessageStore, keepAsDraft: (text: string) => void, focus: () => void) {
  const t = useText(chatText)
  const [message, setMessage] = useState<Message | null>(null)
  const [text, setText] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isSaving, setIsSaving] = useState(false)

  const show = (next: Message | null) => {
    setMessage(next)
    setError(null)
  }
  const start = (next: Message) => {
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
        // The message was deleted in another window. Its edited text becomes the draft of a new message.
        show(null)
        keepAsDraft(written)
        showToast(t.deletedElsewhere, { kind: 'error' })
      } else setError(failure)
    }
    setIsSaving(false)
  }
  return { message, text, error, isSaving, start, setText, cancel, save }
}

/**
 * Puts the cursor at the end of the draft. Focuses the field, unless that would open an on-screen keyboard.
 */
function useInitialFocus(field: RefObject<HTMLTextAreaElement | null>) {
  useLayoutEffect(() => {
    const end = field.current!.value.length
    field.current!.setSelectionRange(end, end)
    if (hasMouse()) field.current!.focus({ preventScroll: true })
  }, [field])
}
