import '#web/ui/message-box.css'
import { Check, ImagePlus, SendHorizontal, X } from 'lucide-react'
import { type Ref, Suspense, useEffect, useId, useImperativeHandle, useState } from 'react'
import { flushSync } from 'react-dom'
import { countCodePoints, isBlank } from '#core/text/unicode.ts'
import type { ConversationRef } from '#features/conversations/web/state.ts'
import { CharactersLeft } from '#features/posts/web/CharactersLeft.tsx'
import { postComposerText } from '#features/posts/web/composer-text.ts'
import { maxPictures } from '#features/posts/web/limits.ts'
import { countExcess, type PickedPicture } from '#features/posts/web/prepare-pictures.ts'
import type { VoiceRecording } from '#features/voice/web/recording.ts'
import { useErrorText } from '#web/errors.ts'
import { useAutosize } from '#web/field-sizing.ts'
import { maxFileMb } from '#web/file-limit.ts'
import { useText } from '#web/i18n.ts'
import { waitUntilIdle } from '#web/idle.ts'
import { hasMouse } from '#web/keyboard.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { SendLater } from '#web/send-later.ts'
import { useShortcuts } from '#web/shortcuts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PicturePicker } from '#web/ui/PicturePicker.tsx'
import { MAX_MESSAGE_LENGTH } from '../contract.ts'
import type { ShownMessage } from './conversation.ts'
import { loadMenuItems } from './Menu.tsx'
import type { MessageStore } from './store.ts'
import { messageText } from './text.ts'
import { type Composer, loadFilesCode, useComposer } from './useComposer.ts'

/** The number of characters left is shown only up to this many. */
const SHOW_COUNT_BELOW = 100

const loadTiles = () => import('#features/posts/web/PictureTiles.tsx')
const loadDescriptionDialog = () => import('#features/posts/web/DescribeDialog.tsx')
const PictureTiles = lazyWithRetry(loadTiles)
const DescribeDialog = lazyWithRetry(loadDescriptionDialog)
const loadQuote = () => import('./Quote.tsx')
const QuoteAboveMessageBox = lazyWithRetry(async () => ({
  default: (await loadQuote()).ComposerQuote,
}))

const loadVoice = () => import('#features/voice/web/Recorder.tsx')
const VoiceButton = lazyWithRetry(async () => ({ default: (await loadVoice()).RecordButton }))
const VoiceRecorderPanel = lazyWithRetry(async () => ({ default: (await loadVoice()).RecorderPanel }))
const FilePickerButton = lazyWithRetry(async () => ({
  default: (await loadFilesCode()).FilePickerButton,
}))
const Extras = lazyWithRetry(() => import('./Extras.tsx'))
const PickedFiles = lazyWithRetry(async () => ({
  default: (await loadFilesCode()).PickedFiles,
}))

/** Loads code that may be needed without a connection, after the messages, when the browser is idle. */
async function prefetchLateCode() {
  await waitUntilIdle()
  // A failed download is tried again when the code is needed.
  for (const load of [loadMenuItems, loadTiles, loadDescriptionDialog, loadFilesCode, loadQuote])
    load().catch(() => {})
}

export type ComposerHandle = Pick<Composer, 'addFiles' | 'restore' | 'focus' | 'reply'> & {
  edit: (message: ShownMessage) => void
}

interface MessageBoxProps {
  store: MessageStore
  /** The last own message that can still be edited. */
  lastOwnMessage: ShownMessage | undefined
  /** Slow mode makes the user wait. */
  isWaiting: boolean
  ref: Ref<ComposerHandle>
}

export function MessageComposer({ store, lastOwnMessage, isWaiting, ref }: MessageBoxProps) {
  const t = useText(messageText)
  const pictureTexts = useText(postComposerText)
  const explain = useErrorText()
  const box = useComposer(store, lastOwnMessage, isWaiting)
  const { edit, focus, addFiles, restore, reply, pictures, setPictures, warnings } = box
  const excessPictures = countExcess(pictures)
  const [describing, setDescribing] = useState<PickedPicture | null>(null)
  const [needsTiles, setNeedsTiles] = useState(false)
  const [isRecording, setIsRecording] = useState(false)
  // The tiles stay after the last picture was removed, because they announce the removal to screen readers.
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
            <PictureTiles
              pictures={pictures}
              uploadProgress={null}
              onChange={setPictures}
              onDescribe={setDescribing}
              onEmpty={focus}
            />
          </Suspense>
        )}
        {maxFileMb > 0 && (
          <Suspense>
            <PickedFiles files={box.files} onChange={box.setFiles} onEmpty={focus} />
          </Suspense>
        )}
        {excessPictures > 0 && (
          <Notice kind="warning">{pictureTexts.tooManyPictures(excessPictures, maxPictures)}</Notice>
        )}
        {warnings.length > 0 && <Notice kind="warning">{warnings.join(' ')}</Notice>}
        {edit.error !== null && <Notice kind="error">{explain(edit.error)}</Notice>}
        {isRecording && <Recorder box={box} onClose={stopRecording} />}
        <InputRow box={box} conversation={store.conversation} onRecord={() => setIsRecording(true)} />
      </form>
      {describing && (
        <Suspense>
          <DescribeDialog picture={describing} onDone={describe} />
        </Suspense>
      )}
    </>
  )
}

/** The app shows a list of keyboard shortcuts. */
function useListedShortcuts() {
  const t = useText(messageText)
  useShortcuts(t.shortcutsTitle, [
    { keys: ['Enter'], description: t.send },
    { keys: ['Shift Enter'], description: t.keyNewLine },
    { keys: ['ArrowUp'], description: t.keyEditLast },
    { keys: ['Escape'], description: t.keyCancelEdit },
  ])
}

function Recorder({ box, onClose }: { box: Composer; onClose: () => void }) {
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

const laterTarget = ({ kind, id }: ConversationRef) =>
  ({ kind: kind === 'private' ? 'person' : 'group', id }) as const

const buttonSpace = <span className="button ghost icon-only" />

interface InputRowProps {
  box: Composer
  conversation: ConversationRef
  onRecord: () => void
}

function InputRow({ box, conversation, onRecord }: InputRowProps) {
  const t = useText(messageText)
  const counterId = useId()
  const { edit, text, pictures } = box
  const charactersLeft = MAX_MESSAGE_LENGTH - countCodePoints(text.trim())
  const isEmpty = isBlank(text) && !pictures.length && !box.files.length
  const isEditing = edit.message !== null
  const isPreparing = box.isPreparing && !isEditing
  useAutosize(box.field, text)
  return (
    <>
      <div className="input-row">
        {maxPictures > 0 && (
          <PicturePicker
            label={t.addPicture}
            kind="ghost icon-only"
            icon={ImagePlus}
            multiple
            disabled={isEditing || pictures.length >= maxPictures}
            onPick={box.addFiles}
          />
        )}
        {maxFileMb > 0 && (
          <Suspense fallback={buttonSpace}>
            <FilePickerButton count={box.files.length} disabled={isEditing} onPick={box.addFiles} />
          </Suspense>
        )}
        {!isEditing && (
          <Suspense fallback={isEmpty && buttonSpace}>
            <Extras box={box} isEmpty={isEmpty} />
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
        {maxFileMb > 0 && isEmpty && !isEditing && (
          <Suspense>
            <VoiceButton onClick={onRecord} />
          </Suspense>
        )}
        {SendLater && !isEmpty && !isEditing && (
          <Suspense fallback={buttonSpace}>
            <SendLater target={laterTarget(conversation)} disabled={box.isPreparing} {...box.later} />
          </Suspense>
        )}
        <Button
          kind="primary"
          type="submit"
          pending={edit.isSaving || isPreparing}
          onPending={isPreparing ? box.submit : undefined}
          disabled={
            (isEmpty && !isPreparing) ||
            charactersLeft < 0 ||
            ((box.isWaiting || countExcess(pictures) > 0) && !isEditing)
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
