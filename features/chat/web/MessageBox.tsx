import './message-box.css'
import { Check, ImagePlus, SendHorizontal, X } from 'lucide-react'
import {
  type KeyboardEvent,
  lazy,
  type Ref,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { countCodePoints } from '#core/unicode.ts'
import { CharactersLeft } from '#features/posts/web/CharactersLeft.tsx'
import { composerText } from '#features/posts/web/composer-text.ts'
import { maxPictures } from '#features/posts/web/limits.ts'
import {
  addPicturesUpToLimit,
  checkAndPreparePictures,
  countExcessPictures,
  type PickedPicture,
} from '#features/posts/web/prepare-pictures.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useAutosizeTextArea } from '#web/field-sizing.ts'
import { useText } from '#web/i18n.ts'
import { hasMouse, isSendMessageKey } from '#web/keyboard.ts'
import { useKeyboardShortcuts } from '#web/shortcuts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PicturePickerButton } from '#web/ui/PicturePickerButton.tsx'
import { MAX_MESSAGE_LENGTH } from '../contract.ts'
import { toMessageDraftKey } from './ConversationRow.tsx'
import type { ConversationMessage } from './conversation.ts'
import type { MessageStore } from './message-store.ts'
import { chatText } from './text.ts'
import { useSendTyping } from './typing.tsx'
import { useMessageDraft } from './useMessageDraft.ts'
import { useMessageEdit } from './useMessageEdit.ts'

/**
 * The message box shows the number of characters that may still be typed only if it is at most this number.
 */
const SHOW_COUNT_BELOW = 100

const loadTiles = () => import('#features/posts/web/PickedPictureTiles.tsx')
const loadDescriptionDialog = () => import('#features/posts/web/DescriptionDialog.tsx')
const PickedPictureTiles = lazy(loadTiles)
const DescriptionDialog = lazy(loadDescriptionDialog)

/**
 * Loads the code of the picture tiles and of the description dialog after the page is drawn, so that both
 * also open without a connection.
 */
function preloadPictureParts() {
  // Ignores a failed download, because the code is loaded again when it is needed.
  for (const load of [loadTiles, loadDescriptionDialog]) load().catch(() => {})
}

type MessageBoxState = ReturnType<typeof useMessageBox>
export type MessageBoxHandle = Pick<MessageBoxState, 'addFiles' | 'restore' | 'focus'> & {
  edit: (message: ConversationMessage) => void
}

interface MessageBoxProps {
  store: MessageStore
  /** The last message of the user that can still be edited; undefined if there is none. */
  lastOwnMessage: ConversationMessage | undefined
  /** Whether slow mode makes the user wait before the next message. */
  isWaiting: boolean
  ref: Ref<MessageBoxHandle>
}

/** The form for a new message, or for the new text of a message that the user edits. */
export function MessageBox({ store, lastOwnMessage, isWaiting, ref }: MessageBoxProps) {
  const t = useText(chatText)
  const pictureTexts = useText(composerText)
  const explain = useErrorFormatter()
  const box = useMessageBox(store, lastOwnMessage, isWaiting)
  const { edit, focus, addFiles, restore, pictures, setPictures, warnings } = box
  const excessPictures = countExcessPictures(pictures)
  const [describing, setDescribing] = useState<PickedPicture | null>(null)
  const [needsTiles, setNeedsTiles] = useState(false)
  // `needsTiles` stays true after the last picture was removed, because the tiles then announce the removal
  // to screen readers.
  if (pictures.length && !needsTiles) setNeedsTiles(true)
  useEffect(preloadPictureParts, [])
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
        {needsTiles && (
          <Suspense>
            <PickedPictureTiles
              pictures={pictures}
              uploadProgress={null}
              onChange={setPictures}
              onDescribe={setDescribing}
              onEmpty={focus}
            />
          </Suspense>
        )}
        {excessPictures > 0 && (
          <Notice kind="warning">{pictureTexts.tooManyPictures(excessPictures, maxPictures)}</Notice>
        )}
        {warnings.length > 0 && <Notice kind="warning">{warnings.join(' ')}</Notice>}
        {edit.error !== null && <Notice kind="error">{explain(edit.error)}</Notice>}
        <InputRow box={box} />
      </form>
      {describing && (
        <Suspense>
          <DescriptionDialog picture={describing} onDone={describe} />
        </Suspense>
      )}
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
  useAutosizeTextArea(box.field, text)
  return (
    <>
      <div className="input-row">
        {maxPictures > 0 && (
          <PicturePickerButton
            label={t.addPicture}
            kind="ghost icon-only"
            icon={ImagePlus}
            multiple
            disabled={isEditing || pictures.length >= maxPictures}
            onPick={box.addFiles}
          />
        )}
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
          disabled={
            isEmpty ||
            charactersLeft < 0 ||
            ((box.isWaiting || countExcessPictures(pictures) > 0) && !isEditing)
          }
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
 * Returns the state and the actions of the message box, both for a new message and for a message that the
 * user edits.
 */
function useMessageBox(
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
    store.send(value, draft.pictures)
    draft.setPictures([])
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
  /** Moves the text and the pictures of a failed message back into the draft. */
  function restore(text: string, pictures: readonly PickedPicture[]) {
    edit.cancel()
    draft.setPictures([...draft.pictures, ...pictures])
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
    isWaiting,
    submit,
    restore,
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
