import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { countCodePoints, isBlank } from '#core/text/unicode.ts'
import { draftKey } from '#features/conversations/web/draft-key.ts'
import { MAX_FILES } from '#features/posts/contract.ts'
import { postComposerText } from '#features/posts/web/composer-text.ts'
import {
  addPictures,
  countExcess,
  looksLikePicture,
  preparePictures,
  usePreparation,
} from '#features/posts/web/prepare-pictures.ts'
import type { VoiceRecording } from '#features/voice/web/recording.ts'
import type { ExtraValues } from '#web/composer-extras.ts'
import { useLang, useText } from '#web/i18n.ts'
import { randomId } from '#web/id.ts'
import { hasMouse, isSendKey, pressed } from '#web/keyboard.ts'
import { MAX_MESSAGE_LENGTH } from '../contract.ts'
import { type ShownMessage, toForm, type UnsentMessage } from './conversation.ts'
import * as loaded from './loaded.ts'
import type { MessageStore } from './store.ts'
import { useSendTyping } from './typing.tsx'
import { useMessageDraft } from './useDraft.ts'
import { useMessageEdit } from './useEdit.ts'

type UnsentContent = Pick<UnsentMessage, 'text' | 'pictures' | 'files' | 'quoted' | 'extras'>
/** A message with extras, such as a poll, is written in a dialog. */
export type Asking = Pick<UnsentMessage, 'text'> & { extras: ExtraValues }
/** The message box loads this code early, so that it is there if the connection is lost. */
export const loadFilesCode = () => import('./Files.tsx')

const isEmptyDraft = (text: string, { pictures, files }: Record<'pictures' | 'files', readonly unknown[]>) =>
  isBlank(text) && !pictures.length && !files.length

export type Composer = ReturnType<typeof useComposer>

/** Serves a new message and one that the user edits. */
export function useComposer(
  store: MessageStore,
  lastOwnMessage: ShownMessage | undefined,
  isWaiting: boolean,
) {
  const composerTexts = useText(postComposerText)
  const lang = useLang()
  const { me, conversation } = store
  const field = useRef<HTMLTextAreaElement>(null)
  const focus = () => field.current?.focus()
  const draft = useMessageDraft(draftKey(me.id, conversation))
  const [warnings, setWarnings] = useState<string[]>([])
  const [asking, setAsking] = useState<Asking | null>(null)
  const edit = useMessageEdit(store, draft.setText, focus)
  const sendTyping = useSendTyping(conversation, me.id)
  useInitialFocus(field)
  const stopTyping = useEffectEvent(() => sendTyping(''))
  useEffect(() => () => stopTyping(), [])

  const { prepare, isPreparing, setPressed } = usePreparation(() => edit.message || submit())
  const changeText = (text: string) => {
    setPressed(false)
    draft.setText(text)
    sendTyping(text)
  }
  // The field itself is read, because a spelling checker may change the text without an event.
  const written = () => field.current!.value.trim()
  const isSendable = (value: string) =>
    !isPreparing &&
    countCodePoints(value) <= MAX_MESSAGE_LENGTH &&
    !countExcess(draft.pictures) &&
    !isEmptyDraft(value, draft)
  function submit() {
    const value = written()
    if (countCodePoints(value) > MAX_MESSAGE_LENGTH) return
    if (edit.message) return void edit.save(value)
    setPressed(isPreparing)
    if (isWaiting || !isSendable(value)) return
    store.send(value, draft, draft.quoted ?? undefined)
    clear()
  }
  function clear() {
    draft.setPictures([])
    draft.setFiles([])
    draft.setQuoted(null)
    setWarnings([])
    changeText('')
    focus()
  }
  const later = {
    async collect() {
      const value = written()
      return isSendable(value) ? toLaterForm(value, draft) : null
    },
    onDone: clear,
  }
  const addFiles = async (files: readonly File[]) => edit.message || prepare(choose(files), addChosen)
  async function choose(files: readonly File[]) {
    const others = files.filter((file) => !looksLikePicture(file))
    const pictures = files.filter((file) => !others.includes(file))
    const chosen = await preparePictures(pictures, draft.pictures.length, composerTexts)
    if (!others.length) return { ...chosen, files: [] }
    const { pickFiles } = await loadFilesCode()
    const found = await pickFiles(others, draft.files.length, lang)
    return {
      picked: chosen.picked,
      files: found.picked,
      warnings: [...chosen.warnings, ...found.warnings],
    }
  }
  function addChosen({ picked, files, warnings }: Awaited<ReturnType<typeof choose>>) {
    draft.setPictures((now) => addPictures(now, picked))
    draft.setFiles((now) => [...now, ...files].slice(0, MAX_FILES))
    setWarnings(warnings)
  }
  /** Quotes the message that the draft quotes; the rest of the draft stays. */
  function sendVoice({ file, duration, wave }: VoiceRecording) {
    const files = [{ key: randomId(), file, alt: '' }]
    store.send('', { pictures: [], files, voice: { duration, wave } }, draft.quoted ?? undefined)
    draft.setQuoted(null)
  }
  function reply(message: ShownMessage) {
    edit.cancel()
    draft.setQuoted(loaded.toQuoted(message))
    focus()
  }
  function cancelReply() {
    draft.setQuoted(null)
    focus()
  }
  function sendExtras({ text, extras }: Asking) {
    store.send(text, { pictures: [], files: [], extras })
    setAsking(null)
  }
  /** Moves a message that could not be sent back into the draft, or into its dialog. */
  function restore({ text, pictures, files = [], quoted, extras }: UnsentContent) {
    edit.cancel()
    if (extras) return setAsking({ text, extras })
    draft.setQuoted(quoted ?? null)
    draft.setPictures([...draft.pictures, ...pictures])
    draft.setFiles([...draft.files, ...files])
    changeText([draft.text, text].filter(Boolean).join('\n'))
  }
  function actionOf(event: KeyboardEvent) {
    if (isSendKey(event)) return submit
    const key = pressed(event)
    if (edit.message) return key === 'Escape' && edit.cancel
    if (key === 'Escape') return draft.quoted && cancelReply
    return key === 'ArrowUp' && !field.current!.value && lastOwnMessage && (() => edit.start(lastOwnMessage))
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
  const { pictures, files } = draft
  const takingBack =
    <Value>(change: (value: Value) => void) =>
    (value: Value) => {
      setPressed(false)
      change(value)
    }
  return {
    field,
    focus,
    text,
    onText,
    onBlur,
    onKeyDown,
    pictures,
    setPictures: takingBack(draft.setPictures),
    files,
    setFiles: takingBack(draft.setFiles),
    addFiles,
    isPreparing,
    warnings,
    edit,
    isWaiting,
    submit,
    later,
    sendVoice,
    asking,
    setAsking,
    sendExtras,
    restore,
    reply,
    quoted: draft.quoted,
    cancelReply,
  }
}

/** For a message that is sent later. */
const toLaterForm = (message: string, { quoted, ...draft }: ReturnType<typeof useMessageDraft>) =>
  toForm({ message, ...(quoted && { quotes_id: quoted.id }) }, draft)

/** Focuses the field, except on devices where that would open an on-screen keyboard. */
function useInitialFocus(field: RefObject<HTMLTextAreaElement | null>) {
  useLayoutEffect(() => {
    const end = field.current!.value.length
    // In an empty field, the browser would lay out the page to set the cursor.
    if (end) field.current!.setSelectionRange(end, end)
    if (hasMouse()) field.current!.focus({ preventScroll: true })
  }, [field])
}
