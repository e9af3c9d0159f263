import { useQueryClient } from '@tanstack/react-query'
import { del, get, set } from 'idb-keyval'
import { type SubmitEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import { countCodePoints } from '#core/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { closeLogInPromptToast, isErrorWithStatus, showLogInPromptToast } from '#web/errors.ts'
import { useGrowingTextArea } from '#web/field-sizing.ts'
import { useText } from '#web/i18n.ts'
import { createRandomId } from '#web/id.ts'
import { hasMouse } from '#web/keyboard.ts'
import { readLocalStorage, writeLocalStorage } from '#web/local-storage.ts'
import { forgetInitialAnswers } from '#web/page-data.ts'
import { createStore, useStore } from '#web/store.ts'
import { SpecificationText } from '#web/ui/SpecificationText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { MAX_IMAGES, MAX_POST_LENGTH, postEndpoints } from '../contract.ts'
import { composerText } from './composer-text.ts'
import { useDescriptionDialogs } from './DescriptionDialogs.tsx'
import { addOwnPost } from './post-store.ts'
import {
  type PickedPicture,
  preparePictures,
  type StoredPicture,
  toPickedPictures,
  toStoredPictures,
} from './prepare-pictures.ts'

/** Returns the state of the form for a new post, and the functions that its fields and buttons call. */
export function usePostComposer(account: number) {
  const textArea = useRef<HTMLTextAreaElement>(null)
  const fileInput = useRef<HTMLInputElement>(null)
  const { text, saveText, pictures, setPictures, isSaved } = usePostDraft(account)
  const { send, clearError, progress, error } = useSendPost(account)
  const [warnings, setWarnings] = useState<string[]>([])
  const charactersLeft = MAX_POST_LENGTH - countCodePoints(text.trim())
  const isEmpty = !text.trim() && pictures.length === 0
  const isSending = progress !== null

  useLayoutEffect(() => {
    if (hasMouse()) textArea.current?.focus()
    textArea.current?.setSelectionRange(textArea.current.value.length, textArea.current.value.length)
  }, [])

  useGrowingTextArea(textArea, text)

  const changeText = (value: string) => {
    clearError()
    saveText(value)
  }
  const changePictures = (next: PickedPicture[], nextWarnings: string[] = []) => {
    if (next !== pictures) clearError()
    setPictures(next)
    setWarnings(nextWarnings)
  }
  const { prepare, isPreparing } = usePreparePictures((picked, newWarnings) => {
    if (picked.length) clearError()
    setPictures((now) => [...now, ...picked].slice(0, MAX_IMAGES))
    setWarnings(newWarnings)
  }, pictures.length)
  const add = async (files: readonly File[]) => {
    if (!isSending) await prepare(files)
  }
  const addPicked = async (files: readonly File[]) => {
    await add(files)
    // Four pictures disable the file input, which then loses the focus. So the first new picture gets it.
    if (fileInput.current?.disabled)
      fileInput.current.form?.querySelectorAll<HTMLElement>('.describe-button')[pictures.length]?.focus()
  }
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault()
    // Reads the value from the field, because a spelling checker may change it without an event.
    const written = textArea.current!.value.trim()
    const isTooLong = countCodePoints(written) > MAX_POST_LENGTH
    if (isSending || isPreparing || isTooLong || !(written || pictures.length)) return
    if (!descriptions.remind()) send(written, pictures)
  }
  const descriptions = useDescriptionDialogs(pictures, setPictures, submit)
  const discard = () => {
    textArea.current!.value = ''
    textArea.current!.focus()
    changeText('')
    changePictures([])
  }
  return {
    textArea,
    fileInput,
    text,
    pictures,
    warnings,
    charactersLeft,
    progress,
    error,
    isEmpty,
    // A picture that is being prepared is not in the draft yet.
    isSaved: isPreparing ? null : isSaved,
    isSending,
    isPreparing,
    descriptions,
    changeText,
    changePictures,
    add,
    addPicked,
    submit,
    discard,
  }
}

/**
 * Prepares chosen files. `isPreparing` is true until the last one is added, because a large file takes about
 * a second.
 */
function usePreparePictures(
  onAdd: (picked: PickedPicture[], warnings: string[]) => void,
  existingCount: number,
) {
  const t = useText(composerText)
  const [running, setRunning] = useState(0)
  const prepare = async (files: readonly File[]) => {
    setRunning((now) => now + 1)
    const { picked, warnings } = await preparePictures(files, existingCount, t)
    flushSync(() => {
      onAdd(picked, warnings)
      setRunning((now) => now - 1)
    })
  }
  return { prepare, isPreparing: running > 0 }
}

/** Returns the key of an account's draft. Each account has its own, so that others do not see the draft. */
const draftKey = (account: number) => `engawa:draft:${account}`

// Local storage keeps the text, because it writes synchronously. IndexedDB keeps the pictures, because it has
// enough space.
let saving: Promise<unknown> = Promise.resolve()

/** Saves pictures. Each call waits for the previous one. Resolves with true if they were saved. */
function savePictures(account: number, pictures: readonly PickedPicture[]) {
  const key = draftKey(account)
  const saved = saving
    .then(() => toStoredPictures(pictures))
    .then((stored) => (stored.length ? set(key, stored) : del(key)))
    .then(
      () => true,
      () => false,
    )
  saving = saved
  return saved
}

/** Returns the text and the pictures of a new post. They begin as those of the saved draft. Saves changes. */
function usePostDraft(account: number) {
  const [text, setText] = useState(() => readLocalStorage(draftKey(account)) ?? '')
  const [isTextSaved, setTextSaved] = useState(true)
  const [pictures, setPictures] = useState<PickedPicture[]>([])
  const [lastSave, setLastSave] = useState<{ pictures: PickedPicture[]; succeeded: boolean } | null>(null)
  const [isRestored, setRestored] = useState(false)

  useEffect(() => {
    let isCurrent = true
    get<StoredPicture[]>(draftKey(account))
      .catch(() => undefined)
      .then((found = []) => {
        if (!isCurrent) return
        setPictures((now) => [...toPickedPictures(found), ...now].slice(0, MAX_IMAGES))
        setRestored(true)
      })
    return () => {
      isCurrent = false
    }
  }, [account])
  useEffect(() => {
    if (!isRestored) return
    void savePictures(account, pictures).then((succeeded) => setLastSave({ pictures, succeeded }))
  }, [account, pictures, isRestored])

  const saveText = (value: string) => {
    setText(value)
    setTextSaved(writeLocalStorage(draftKey(account), value))
  }
  /** Whether the pictures are saved; null while they are being saved. */
  const arePicturesSaved = lastSave?.pictures === pictures ? lastSave.succeeded : null
  return { text, saveText, pictures, setPictures, isSaved: isTextSaved && arePicturesSaved }
}

interface SendState {
  /** The share of the post that has been sent, from 0 to 1; null while no post is being sent. */
  progress: number | null
  error: unknown
}
const idle: SendState = { progress: null, error: null }

// The state of sending, by account. It is outside the components, because a member may leave the page and
// come back while a post is being sent.
const sendStates = createStore<Readonly<Record<number, SendState>>>({})
const attempts = new Map<number, { content: string; id: string }>()

/**
 * Returns the client id of a post. It stays the same when the post is sent again, because the server may have
 * stored the post although the response was lost.
 */
function clientIdFor(account: number, text: string, pictures: PickedPicture[]) {
  const content = JSON.stringify([text, pictures.map(({ key, alt }) => [key, alt])])
  const before = attempts.get(account)
  if (before?.content === content) return before.id
  const id = createRandomId()
  attempts.set(account, { content, id })
  return id
}

/** Sends a post and opens the list. After a failure the form keeps its content. */
function useSendPost(account: number) {
  const client = useQueryClient()
  const t = useText(composerText)
  const [, navigate] = useLocation()
  const sending = useStore(sendStates, (all) => all[account] ?? idle)
  const update = (next: SendState) => sendStates.patch({ [account]: next })

  const send = async (text: string, pictures: PickedPicture[]) => {
    update({ progress: 0, error: null })
    const onProgress = (progress: number) => update({ progress, error: null })
    try {
      const form = toFormData(text, pictures, clientIdFor(account, text, pictures))
      const { post } = await callEndpoint(postEndpoints.create, {}, { form, onProgress })
      addOwnPost(post)
    } catch (failure) {
      const mustLogIn = isErrorWithStatus(failure, 401)
      update({ progress: null, error: mustLogIn ? null : failure })
      return mustLogIn && showLogInPromptToast()
    }
    attempts.delete(account)
    writeLocalStorage(draftKey(account), '')
    await savePictures(account, [])
    forgetInitialAnswers()
    client.removeQueries({ queryKey: [postEndpoints.firstSteps.path] })
    closeLogInPromptToast()
    showToast(<SpecificationText translation={t.postedTranslation}>{t.posted}</SpecificationText>, {
      alert: true,
    })
    if (location.pathname === '/post') navigate('/')
    update(idle)
  }
  /** Hides the error after the member has changed the post. */
  const clearError = () => {
    if (sending.error !== null) update(idle)
  }
  return { send, clearError, ...sending }
}

function toFormData(text: string, pictures: PickedPicture[], id: string) {
  const form = new FormData()
  form.set('client_id', id)
  form.set('text', text)
  for (const { file, alt } of pictures) {
    form.append('images[]', file, file.name)
    form.append('alt[]', alt)
  }
  return form
}
