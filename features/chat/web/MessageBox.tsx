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
import { codePointLength } from '#core/contract.ts'
import { MOST_IMAGES } from '#features/posts/contract.ts'
import { choose, type Picked } from '#features/posts/web/choose-pictures.ts'
import { composerText } from '#features/posts/web/composer-text.ts'
import { Describe, LeftCount } from '#features/posts/web/Descriptions.tsx'
import { PictureTiles } from '#features/posts/web/PictureTiles.tsx'
import { isHttpError, useExplain } from '#web/errors.ts'
import { useFieldSizing } from '#web/field-sizing.ts'
import { useText } from '#web/i18n.ts'
import { hasMouse, isSendMessage } from '#web/keyboard.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { useShortcuts } from '#web/shortcuts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PicturePicker } from '#web/ui/PicturePicker.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { MESSAGE_LENGTH } from '../contract.ts'
import { draftKey } from './ConversationRow.tsx'
import type { MessageStore } from './message-store.ts'
import type { Message } from './messages.ts'
import { chatText } from './text.ts'
import { useTellTyping } from './typing.tsx'

/** The number of characters that are left is shown from here on. */
const SHOW_LEFT = 100

type MessageBoxState = ReturnType<typeof useMessageBox>
export type MessageBoxHandle = Pick<MessageBoxState, 'addFiles' | 'putBack' | 'focus'> & {
  edit: (message: Message) => void
}

interface MessageBoxProps {
  store: MessageStore
  /** My last message that can be edited. */
  lastOwn: Message | undefined
  ref: Ref<MessageBoxHandle>
}

/** Where a message is written. */
export function MessageBox({ store, lastOwn, ref }: MessageBoxProps) {
  const t = useText(chatText)
  const explain = useExplain()
  const box = useMessageBox(store, lastOwn)
  const { edit, focus, addFiles, putBack, pictures, setPictures, notes } = box
  const [describing, setDescribing] = useState<Picked | null>(null)
  useImperativeHandle(ref, () => ({ edit: edit.begin, addFiles, putBack, focus }))
  useShortcuts(t.keysOfChat, [
    { keys: ['Enter'], does: t.send },
    { keys: ['Shift Enter'], does: t.keyNewLine },
    { keys: ['ArrowUp'], does: t.keyEditLast },
    { keys: ['Escape'], does: t.keyLeaveEdit },
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
            <Button kind="bare" small icon={X} onClick={edit.leave}>
              {t.cancel}
            </Button>
          </p>
        )}
        <PictureTiles
          pictures={pictures}
          sent={null}
          onChange={setPictures}
          onDescribe={setDescribing}
          onEmpty={focus}
        />
        {notes.length > 0 && <Notice kind="warn">{notes.join(' ')}</Notice>}
        {edit.error !== null && <Notice kind="bad">{explain(edit.error)}</Notice>}
        <InputRow box={box} />
      </form>
      {describing && <Describe picture={describing} onDone={describe} />}
    </>
  )
}

/**
 * The picture button, the text field and the send button. Below them, the number of characters that are left.
 */
function InputRow({ box }: { box: MessageBoxState }) {
  const t = useText(chatText)
  const leftId = useId()
  const { edit, text, pictures } = box
  const left = MESSAGE_LENGTH - codePointLength(text.trim())
  const isEmpty = !text.trim() && !pictures.length
  const isEditing = edit.message !== null
  useFieldSizing(box.field, text)
  return (
    <>
      <div className="write">
        <PicturePicker
          label={t.addPicture}
          kind="bare only"
          icon={ImagePlus}
          multiple
          disabled={isEditing || pictures.length === MOST_IMAGES}
          onPick={box.addFiles}
        />
        <textarea
          ref={box.field}
          rows={1}
          dir="auto"
          aria-label={t.enterMessage}
          placeholder={t.enterMessage}
          aria-describedby={left > SHOW_LEFT ? undefined : leftId}
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
          disabled={isEmpty || left < 0}
          label={isEditing ? t.save : t.send}
        >
          <span className="label">{isEditing ? t.save : t.send}</span>
          <Icon of={isEditing ? Check : SendHorizontal} className="short" />
        </Button>
      </div>
      {left <= SHOW_LEFT && <LeftCount left={left} id={leftId} />}
    </>
  )
}

/** The text, the pictures, and what keys and buttons do: for a new message, or an old one that is edited. */
function useMessageBox(store: MessageStore, lastOwn: Message | undefined) {
  const composer = useText(composerText)
  const { me, conversation } = store
  const field = useRef<HTMLTextAreaElement>(null)
  const focus = () => field.current?.focus()
  const draft = useDraft(draftKey(me.id, conversation))
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
  async function addFiles(files: readonly File[]) {
    if (edit.message) return
    const chosen = await choose(files, draft.pictures.length, composer)
    setNotes(chosen.notes)
    draft.setPictures((now) => [...now, ...chosen.picked].slice(0, MOST_IMAGES))
  }
  /** Puts a message back that could not be sent. */
  function putBack(text: string, pictures: readonly Picked[]) {
    edit.leave()
    draft.setPictures([...draft.pictures, ...pictures].slice(0, MOST_IMAGES))
    write([draft.text, text].filter(Boolean).join('\n'))
  }
  function actionOf(event: KeyboardEvent) {
    if (isSendMessage(event)) return submit
    if (edit.message) return event.key === 'Escape' && edit.leave
    return event.key === 'ArrowUp' && !field.current!.value && lastOwn && (() => edit.begin(lastOwn))
  }
  function onKeyDown(event: KeyboardEvent) {
    const action = actionOf(event)
    if (!action) return
    event.preventDefault()
    action()
  }
  const text = edit.message ? edit.text : draft.text
  const onText = edit.message ? edit.write : write
  const onBlur = () => tellTyping('')
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
    notes,
    edit,
    submit,
    putBack,
  }
}

/** Chosen pictures wait here while another conversation is open. */
const chosenPictures = new Map<string, Picked[]>()

/** The text and the pictures of a message that is being written. */
function useDraft(key: string) {
  const [text, setText] = useState(() => readLocal(key) ?? '')
  const [pictures, setPictures] = useState(() => chosenPictures.get(key) ?? [])
  useEffect(() => {
    chosenPictures.set(key, pictures)
  }, [key, pictures])
  const write = (next: string) => {
    setText(next)
    // Where storage is forbidden or full, the draft lives as long as the page.
    writeLocal(key, next)
  }
  return { text, write, pictures, setPictures }
}

/** Editing a message of one's own. The draft of a new message stays as it is meanwhile. */
function useEdit(store: MessageStore, keepAsDraft: (text: string) => void, focus: () => void) {
  const t = useText(chatText)
  const [message, setMessage] = useState<Message | null>(null)
  const [text, write] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isSaving, setIsSaving] = useState(false)

  const show = (next: Message | null) => {
    setMessage(next)
    setError(null)
  }
  const begin = (next: Message) => {
    show(next)
    write(next.message)
    focus()
  }
  const leave = () => {
    show(null)
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
        show(null)
        keepAsDraft(written)
        toast(t.changed, { kind: 'bad' })
      } else setError(failure)
    }
    setIsSaving(false)
  }
  return { message, text, error, isSaving, begin, write, leave, save }
}

/** Puts the cursor behind the draft, and the focus into the field where that opens no on-screen keyboard. */
function useFocusAtStart(field: RefObject<HTMLTextAreaElement | null>) {
  useLayoutEffect(() => {
    const end = field.current!.value.length
    field.current!.setSelectionRange(end, end)
    if (hasMouse()) field.current!.focus({ preventScroll: true })
  }, [field])
}
