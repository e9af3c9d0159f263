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
import { postComposerText } from '#features/posts/web/composer-text.ts'
import {
  addPicturesUpToLimit,
  checkAndPreparePictures,
  countExcessPictures,
} from '#features/posts/web/prepare-pictures.ts'
import { maxMessageFileMb } from '#web/file-limit.ts'
import { useLang, useText } from '#web/i18n.ts'
import { createRandomId } from '#web/id.ts'
import { hasMouse, isSendMessageKey } from '#web/keyboard.ts'
import { MAX_MESSAGE_LENGTH, MAX_NON_PICTURE_FILES_PER_MESSAGE } from '../contract.ts'
import { toMessageDraftStorageKey } from './ConversationRow.tsx'
import type { ShownMessage, UnsentMessage } from './conversation.ts'
import { toQuotedMessage } from './loaded-messages.ts'
import type { MessageStore } from './message-store.ts'
import { useSendTypingEvents } from './typing.tsx'
import { useMessageDraft } from './useMessageDraft.ts'
import { useMessageEdit } from './useMessageEdit.ts'
import type { VoiceRecording } from './voice-recording.ts'

type UnsentContent = Pick<UnsentMessage, 'text' | 'pictures' | 'files' | 'quoted'>
/**
 * Imports the code that shows the files of messages. The message box loads this code as soon as the page is
 * drawn, so that it is there if the connection is lost.
 */
export const importMessageFilesCode = () => import('./MessageFiles.tsx')

/** Returns whether a chosen file is sent as a picture and not as another file. */
const looksLikePicture = ({ type, name }: File) =>
  type.startsWith('image/') || /\.(jpe?g|png|gif|webp|avif|heic|heif)$/i.test(name)

const isEmptyDraft = (text: string, { pictures, files }: Record<'pictures' | 'files', readonly unknown[]>) =>
  !text && !pictures.length && !files.length

export type MessageComposerStateAndActions = ReturnType<typeof useMessageComposer>

/**
 * Returns the state and the actions of the message box, both for a new message and for a message that the
 * user edits.
 */
export function useMessageComposer(
  store: MessageStore,
  lastOwnMessage: ShownMessage | undefined,
  isWaiting: boolean,
) {
  const composerTexts = useText(postComposerText)
  const lang = useLang()
  const { me, conversation } = store
  const field = useRef<HTMLTextAreaElement>(null)
  const focus = () => field.current?.focus()
  const draft = useMessageDraft(toMessageDraftStorageKey(me.id, conversation))
  const [warnings, setWarnings] = useState<string[]>([])
  const edit = useMessageEdit(store, draft.setText, focus)
  const sendTyping = useSendTypingEvents(conversation, me.id)
  useInitialFocus(field)
  const stopTyping = useEffectEvent(() => sendTyping(''))
  useEffect(() => () => stopTyping(), [])

  const changeText = (text: string) => {
    draft.setText(text)
    sendTyping(text)
  }
  function submit() {
    // Reads the text from the text field itself, because a spelling checker may change it without an event.
    const value = field.current!.value.trim()
    if (countCodePoints(value) > MAX_MESSAGE_LENGTH) return
    if (edit.message) return void edit.save(value)
    if (isWaiting || countExcessPictures(draft.pictures) || isEmptyDraft(value, draft)) return
    store.send(value, draft, draft.quoted ?? undefined)
    draft.setPictures([])
    draft.setFiles([])
    draft.setQuoted(null)
    setWarnings([])
    changeText('')
    focus()
  }
  async function addFiles(files: readonly File[]) {
    if (edit.message) return
    const others = maxMessageFileMb ? files.filter((file) => !looksLikePicture(file)) : []
    const pictures = files.filter((file) => !others.includes(file))
    const chosen = await checkAndPreparePictures(pictures, draft.pictures.length, composerTexts)
    draft.setPictures((now) => addPicturesUpToLimit(now, chosen.picked))
    setWarnings(chosen.warnings)
    if (!others.length) return
    const found = (await importMessageFilesCode()).pickSendableMessageFilesInLanguage(
      others,
      draft.files.length,
      lang,
    )
    draft.setFiles((now) => [...now, ...found.picked].slice(0, MAX_NON_PICTURE_FILES_PER_MESSAGE))
    setWarnings([...chosen.warnings, ...found.warnings])
  }
  /**
   * Sends a voice message, which quotes the message that the draft quotes. The text, the pictures and the
   * files of the draft stay in the draft.
   */
  function sendVoice({ file, duration, wave }: VoiceRecording) {
    const files = [{ key: createRandomId(), file, alt: '' }]
    store.send('', { pictures: [], files, voice: { duration, wave } }, draft.quoted ?? undefined)
    draft.setQuoted(null)
  }
  /** Begins a reply to a message: makes the message the quote of the draft. */
  function reply(message: ShownMessage) {
    edit.cancel()
    draft.setQuoted(toQuotedMessage(message))
    focus()
  }
  function cancelReply() {
    draft.setQuoted(null)
    focus()
  }
  /**
   * Moves the text, the pictures, the files and the quote of a message that could not be sent back into the
   * draft.
   */
  function restore({ text, pictures, files = [], quoted }: UnsentContent) {
    edit.cancel()
    draft.setQuoted(quoted ?? null)
    draft.setPictures([...draft.pictures, ...pictures])
    draft.setFiles([...draft.files, ...files])
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
  const { pictures, setPictures, files, setFiles } = draft
  return {
    field,
    focus,
    text,
    onText,
    onBlur,
    onKeyDown,
    pictures,
    setPictures,
    files,
    setFiles,
    addFiles,
    warnings,
    edit,
    isWaiting,
    submit,
    sendVoice,
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
    // Does nothing to an empty field, because the browser would lay out the page to set the cursor.
    if (end) field.current!.setSelectionRange(end, end)
    if (hasMouse()) field.current!.focus({ preventScroll: true })
  }, [field])
}
