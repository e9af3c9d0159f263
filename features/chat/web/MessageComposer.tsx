import './message-box.css'
import { Check, ImagePlus, SendHorizontal, X } from 'lucide-react'
import { type Ref, Suspense, useEffect, useId, useImperativeHandle, useState } from 'react'
import { flushSync } from 'react-dom'
import { countCodePoints } from '#core/unicode.ts'
import { CharactersLeft } from '#features/posts/web/CharactersLeft.tsx'
import { postComposerText } from '#features/posts/web/composer-text.ts'
import { configuredMaxPictureCount } from '#features/posts/web/limits.ts'
import {
  countExcessPictures,
  type PickedPictureFileAndDescription,
} from '#features/posts/web/prepare-pictures.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useAutosizeTextArea } from '#web/field-sizing.ts'
import { maxMessageFileMb } from '#web/file-limit.ts'
import { useText } from '#web/i18n.ts'
import { waitUntilIdle } from '#web/idle.ts'
import { hasMouse } from '#web/keyboard.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useKeyboardShortcuts } from '#web/shortcuts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PicturePickerButton } from '#web/ui/PicturePickerButton.tsx'
import { MAX_MESSAGE_LENGTH } from '../contract.ts'
import type { ChatPartnerOrGroupRef } from './chat-state.ts'
import type { ShownMessage } from './conversation.ts'
import { loadMessageMenuItemsCode } from './MessageMenu.tsx'
import type { MessageStore } from './message-store.ts'
import { chatText } from './text.ts'
import {
  importMessageFilesCode,
  type MessageComposerStateAndActions,
  useMessageComposer,
} from './useMessageComposer.ts'
import type { VoiceRecording } from './voice-recording.ts'

/** The message box shows how many characters may still be typed only if at most this many are left. */
const SHOW_COUNT_BELOW = 100

const loadTiles = () => import('#features/posts/web/PickedPictureTiles.tsx')
const loadDescriptionDialog = () => import('#features/posts/web/PictureDescriptionDialog.tsx')
const PickedPictureTiles = lazyWithRetry(loadTiles)
const PictureDescriptionDialog = lazyWithRetry(loadDescriptionDialog)
const loadQuote = () => import('./MessageQuote.tsx')
const QuoteAboveMessageBox = lazyWithRetry(async () => ({
  default: (await loadQuote()).QuoteAboveMessageComposer,
}))

const loadVoice = () => import('./VoiceRecorder.tsx')
const VoiceButton = lazyWithRetry(async () => ({ default: (await loadVoice()).OpenVoiceRecorderButton }))
const VoiceRecorderPanel = lazyWithRetry(async () => ({ default: (await loadVoice()).VoiceRecorderPanel }))
const FilePickerButton = lazyWithRetry(async () => ({
  default: (await importMessageFilesCode()).MessageFilePickerButton,
}))
const PickedFiles = lazyWithRetry(async () => ({
  default: (await importMessageFilesCode()).PickedMessageFiles,
}))

/**
 * Loads code that may be needed without a connection: the picture tiles, the description dialog, files and
 * quotes of the message box, and the items of message menus. Waits until the browser is idle, so that the
 * messages appear first.
 */
async function prefetchLateCode() {
  await waitUntilIdle()
  // Ignores a failed download of this code, because the code is loaded again when it is needed.
  for (const load of [
    loadMessageMenuItemsCode,
    loadTiles,
    loadDescriptionDialog,
    importMessageFilesCode,
    loadQuote,
  ])
    load().catch(() => {})
}

export type MessageComposerHandle = Pick<
  MessageComposerStateAndActions,
  'addFiles' | 'restore' | 'focus' | 'reply'
> & {
  edit: (message: ShownMessage) => void
}

interface MessageBoxProps {
  store: MessageStore
  /** The last message of the user that can still be edited; undefined if there is none. */
  lastOwnMessage: ShownMessage | undefined
  /** Whether slow mode makes the user wait before the next message can be sent. */
  isWaiting: boolean
  ref: Ref<MessageComposerHandle>
}

/**
 * Renders the message box: the form for a new message, or for the new text of a message that the user edits.
 */
export function MessageComposer({ store, lastOwnMessage, isWaiting, ref }: MessageBoxProps) {
  const t = useText(chatText)
  const pictureTexts = useText(postComposerText)
  const explain = useErrorFormatter()
  const box = useMessageComposer(store, lastOwnMessage, isWaiting)
  const { edit, focus, addFiles, restore, reply, pictures, setPictures, warnings } = box
  const excessPictures = countExcessPictures(pictures)
  const [describing, setDescribing] = useState<PickedPictureFileAndDescription | null>(null)
  const [needsTiles, setNeedsTiles] = useState(false)
  const [isRecording, setIsRecording] = useState(false)
  // `needsTiles` stays true after the last picture was removed, because the tiles then announce the removal
  // to screen readers.
  if (pictures.length && !needsTiles) setNeedsTiles(true)
  useEffect(() => void prefetchLateCode(), [])
  useImperativeHandle(ref, () => ({ edit: edit.start, addFiles, restore, focus, reply }))
  useListedShortcuts()
  const describe = (alt: string | null) => {
    if (alt !== null)
      setPictures(pictures.map((one) => (one.key === describing?.key ? { ...one, alt } : one)))
    setDescribing(null)
  }
  const onSubmit = (event: React.FormEvent) => {
    event.preventDefault()
    box.submit()
  }
  const stopRecording = () => {
    flushSync(() => setIsRecording(false))
    focus()
  }
  return (
    <>
      <form className="message-box" data-recording={isRecording || undefined} onSubmit={onSubmit}>
        {edit.message && (
          <p className="editing">
            <span>{t.editing}</span>
            <Button kind="ghost" small icon={X} onClick={edit.cancel}>
              {t.cancel}
            </Button>
          </p>
        )}
        {box.quoted && !edit.message && (
          <Suspense>
            <QuoteAboveMessageBox quoted={box.quoted} store={store} onClose={box.cancelReply} />
          </Suspense>
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
        {maxMessageFileMb > 0 && (
          <Suspense>
            <PickedFiles files={box.files} onChange={box.setFiles} onEmpty={focus} />
          </Suspense>
        )}
        {excessPictures > 0 && (
          <Notice kind="warning">
            {pictureTexts.tooManyPictures(excessPictures, configuredMaxPictureCount)}
          </Notice>
        )}
        {warnings.length > 0 && <Notice kind="warning">{warnings.join(' ')}</Notice>}
        {edit.error !== null && <Notice kind="error">{explain(edit.error)}</Notice>}
        {isRecording && <Recorder box={box} onClose={stopRecording} />}
        <InputRow box={box} conversation={store.conversation} onRecord={() => setIsRecording(true)} />
      </form>
      {describing && (
        <Suspense>
          <PictureDescriptionDialog picture={describing} onDone={describe} />
        </Suspense>
      )}
    </>
  )
}

/** Adds the keys that work in the message box to the list of keyboard shortcuts that the app shows. */
function useListedShortcuts() {
  const t = useText(chatText)
  useKeyboardShortcuts(t.shortcutsTitle, [
    { keys: ['Enter'], description: t.send },
    { keys: ['Shift Enter'], description: t.keyNewLine },
    { keys: ['ArrowUp'], description: t.keyEditLast },
    { keys: ['Escape'], description: t.keyCancelEdit },
  ])
}

function Recorder({ box, onClose }: { box: MessageComposerStateAndActions; onClose: () => void }) {
  const send = (recording: VoiceRecording) => {
    box.sendVoice(recording)
    onClose()
  }
  return (
    <Suspense>
      <VoiceRecorderPanel isWaiting={box.isWaiting} onSend={send} onClose={onClose} />
    </Suspense>
  )
}

interface InputRowProps {
  box: MessageComposerStateAndActions
  conversation: ChatPartnerOrGroupRef
  onRecord: () => void
}

/**
 * Renders the buttons and the text field of the message box, with the number of remaining characters below.
 */
function InputRow({ box, conversation, onRecord }: InputRowProps) {
  const t = useText(chatText)
  const counterId = useId()
  const { edit, text, pictures } = box
  const charactersLeft = MAX_MESSAGE_LENGTH - countCodePoints(text.trim())
  const isEmpty = !text.trim() && !pictures.length && !box.files.length
  const isEditing = edit.message !== null
  useAutosizeTextArea(box.field, text)
  return (
    <>
      <div className="input-row">
        {configuredMaxPictureCount > 0 && (
          <PicturePickerButton
            label={t.addPicture}
            kind="ghost icon-only"
            icon={ImagePlus}
            multiple
            disabled={isEditing || pictures.length >= configuredMaxPictureCount}
            onPick={box.addFiles}
          />
        )}
        {maxMessageFileMb > 0 && (
          <Suspense fallback={<span className="button ghost icon-only" />}>
            <FilePickerButton count={box.files.length} disabled={isEditing} onPick={box.addFiles} />
          </Suspense>
        )}
        <textarea
          ref={box.field}
          rows={1}
          dir="auto"
          aria-label={t.enterMessage}
          placeholder={t.enterMessage}
          aria-describedby={charactersLeft > SHOW_COUNT_BELOW ? undefined : counterId}
          data-mentions={`${conversation.kind === 'groups' ? 'group' : 'person'}=${conversation.id}`}
          enterKeyHint={hasMouse() ? 'send' : 'enter'}
          value={text}
          onChange={(event) => box.onText(event.target.value)}
          onKeyDown={box.onKeyDown}
          onBlur={box.onBlur}
        />
        {maxMessageFileMb > 0 && isEmpty && !isEditing && (
          <Suspense>
            <VoiceButton onClick={onRecord} />
          </Suspense>
        )}
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
