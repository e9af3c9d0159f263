import { useQueryClient } from '@tanstack/react-query'
import { del, get, set } from 'idb-keyval'
import { type SubmitEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import { countCodePoints } from '#core/unicode.ts'
import { findTagsInText, parseTag } from '#features/people/text-parts-contract.ts'
import { callEndpoint } from '#web/api.ts'
import { closeLogInPromptToast, isErrorWithStatus, showLogInPromptToast } from '#web/errors.ts'
import { useAutosizeTextArea } from '#web/field-sizing.ts'
import { useText } from '#web/i18n.ts'
import { createRandomId } from '#web/id.ts'
import { hasMouse } from '#web/keyboard.ts'
import { readLocalStorage, writeLocalStorage } from '#web/local-storage.ts'
import { forgetInitialEndpointResponses } from '#web/page-data.ts'
import { createStore, useStore } from '#web/store.ts'
import { SpecificationTextWithTranslation } from '#web/ui/SpecificationTextWithTranslation.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { postEndpoints } from '../contract.ts'
import { postComposerText } from './composer-text.ts'
import { usePictureDescriptionDialogs } from './DescriptionDialogs.tsx'
import { configuredMaxPostLength } from './limits.ts'
import { type PostAudienceChoice, toPostAudienceFormFields } from './PostAudienceField.tsx'
import { addOwnNewPostToStore } from './post-store.ts'
import {
  addPicturesUpToLimit,
  checkAndPreparePictures,
  countExcessPictures,
  type IndexedDbPicture,
  type PickedPictureFileAndDescription,
  toIndexedDbPictures,
  toPickedPicturesFromIndexedDb,
} from './prepare-pictures.ts'

/**
 * Returns the state of the form for a new post, and the functions that the fields and buttons of the form
 * call. `audience` is the chosen audience of the post.
 */
export function usePostComposer(account: number, audience: PostAudienceChoice) {
  const textArea = useRef<HTMLTextAreaElement>(null)
  const fileInput = useRef<HTMLInputElement>(null)
  const { text, saveText, pictures, setPictures, isSaved } = usePostDraft(account)
  const { send, clearError, progress, error } = useSendPost(account)
  const [warnings, setWarnings] = useState<string[]>([])
  const charactersLeft = configuredMaxPostLength - countCodePoints(text.trim())
  const isEmpty = !text.trim() && pictures.length === 0
  const excessPictures = countExcessPictures(pictures)
  const isSending = progress !== null

  useLayoutEffect(() => {
    if (hasMouse()) textArea.current?.focus()
    textArea.current?.setSelectionRange(textArea.current.value.length, textArea.current.value.length)
  }, [])
  useAutosizeTextArea(textArea, text)

  const changeText = (value: string) => {
    clearError()
    saveText(value)
  }
  const changePictures = (next: PickedPictureFileAndDescription[], nextWarnings: string[] = []) => {
    if (next !== pictures) clearError()
    setPictures(next)
    setWarnings(nextWarnings)
  }
  const { prepare, isPreparing } = usePreparePictures((picked, newWarnings) => {
    if (picked.length) clearError()
    setPictures((now) => addPicturesUpToLimit(now, picked))
    setWarnings(newWarnings)
  }, pictures.length)
  const add = async (files: readonly File[]) => {
    if (!isSending) await prepare(files)
  }
  const addPicked = async (files: readonly File[]) => {
    await add(files)
    // Focuses the first new picture if the file input is disabled now because no more pictures may be added.
    // The disabled input has lost the focus.
    if (fileInput.current?.disabled)
      fileInput.current.form?.querySelectorAll<HTMLElement>('.describe-button')[pictures.length]?.focus()
  }
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault()
    // Reads the text from the text area, because a spelling checker may change it without an event.
    const written = textArea.current!.value.trim()
    const isTooLong = countCodePoints(written) > configuredMaxPostLength
    if (isSending || isPreparing || isTooLong || excessPictures || !(written || pictures.length)) return
    if (!descriptions.remind()) send({ text: written, pictures, audience })
  }
  const descriptions = usePictureDescriptionDialogs(pictures, setPictures, submit)
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
    excessPictures,
    progress,
    error,
    isEmpty,
    // `isSaved` is null while a picture is being prepared, because the saved draft does not contain this
    // picture yet.
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
 * Returns `prepare`, a function that prepares chosen files for the upload and passes the pictures to `onAdd`.
 * `isPreparing` is true until all files are prepared; a large file takes about a second.
 */
function usePreparePictures(
  onAdd: (picked: PickedPictureFileAndDescription[], warnings: string[]) => void,
  existingCount: number,
) {
  const t = useText(postComposerText)
  const [running, setRunning] = useState(0)
  const prepare = async (files: readonly File[]) => {
    setRunning((now) => now + 1)
    const { picked, warnings } = await checkAndPreparePictures(files, existingCount, t)
    flushSync(() => {
      onAdd(picked, warnings)
      setRunning((now) => now - 1)
    })
  }
  return { prepare, isPreparing: running > 0 }
}

/**
 * Returns the storage key of the draft of a new post. Each account has its own key, so that the account does
 * not see drafts of other accounts on this device.
 */
const draftKey = (account: number) => `engawa:draft:${account}`

// A draft is stored in two places: its text in local storage, which writes at once, and its pictures in
// IndexedDB, which has enough space. The promise `saving` resolves when the last call of `savePictures` has
// ended.
let saving: Promise<unknown> = Promise.resolve()

/**
 * Saves the pictures of a draft in IndexedDB. Each call waits for the previous one. Resolves with true if the
 * pictures were saved, otherwise with false.
 */
function savePictures(account: number, pictures: readonly PickedPictureFileAndDescription[]) {
  const key = draftKey(account)
  const saved = saving
    .then(() => toIndexedDbPictures(pictures))
    .then((stored) => (stored.length ? set(key, stored) : del(key)))
    .then(
      () => true,
      () => false,
    )
  saving = saved
  return saved
}

/**
 * Returns the text of a draft with the tag that the address of the page names, as in `/post?tag=garden`,
 * unless the draft contains the tag already. Replaces a draft that contains only tags, so that tags of
 * several such addresses do not add up.
 */
function addTagFromUrl(draft: string) {
  const tag = parseTag(new URLSearchParams(location.search).get('tag') ?? '')
  if (!tag || findTagsInText(draft).includes(tag)) return draft
  const words = draft.replace(/[#＃]\S+/gu, '').trim()
  return words ? `${draft}${/\s$/.test(draft) ? '' : ' '}#${tag} ` : `#${tag} `
}

/**
 * Returns the text and the pictures of a new post, which are at first those of the saved draft, and functions
 * that change and save them.
 */
function usePostDraft(account: number) {
  const [text, setText] = useState(() => addTagFromUrl(readLocalStorage(draftKey(account)) ?? ''))
  const [isTextSaved, setTextSaved] = useState(true)
  const [pictures, setPictures] = useState<PickedPictureFileAndDescription[]>([])
  const [lastSave, setLastSave] = useState<{
    pictures: PickedPictureFileAndDescription[]
    succeeded: boolean
  } | null>(null)
  const [isRestored, setRestored] = useState(false)

  useEffect(() => {
    let isCurrent = true
    get<IndexedDbPicture[]>(draftKey(account))
      .catch(() => undefined)
      .then((found = []) => {
        if (!isCurrent) return
        setPictures((now) => [...toPickedPicturesFromIndexedDb(found), ...now])
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
  /** Whether the pictures of the draft are saved; null while they are being saved. */
  const arePicturesSaved = lastSave?.pictures === pictures ? lastSave.succeeded : null
  return { text, saveText, pictures, setPictures, isSaved: isTextSaved && arePicturesSaved }
}

interface SendState {
  /** The part of the post that has been sent, from 0 to 1; null while no post is being sent. */
  progress: number | null
  error: unknown
}
const idle: SendState = { progress: null, error: null }

// The progress and the error of sending a post, by the id of the account. They are kept outside of the
// components, because a member may leave the page and come back while a post is being sent.
const sendStates = createStore<Readonly<Record<number, SendState>>>({})
interface Draft {
  text: string
  pictures: PickedPictureFileAndDescription[]
  audience: PostAudienceChoice
}

const attempts = new Map<number, { content: string; id: string }>()

/**
 * Returns the `client_id` of a new post. It stays the same when the same post is sent again, because the
 * server may have stored the post although the response was lost.
 */
function clientIdFor(account: number, { text, pictures, audience }: Draft) {
  const content = JSON.stringify([text, audience, pictures.map(({ key, alt }) => [key, alt])])
  const before = attempts.get(account)
  if (before?.content === content) return before.id
  const id = createRandomId()
  attempts.set(account, { content, id })
  return id
}

/**
 * Returns `send`, a function that sends a new post. After a success, it opens the home page if the form is
 * still open. After a failure, the form keeps its content.
 */
function useSendPost(account: number) {
  const client = useQueryClient()
  const t = useText(postComposerText)
  const [, navigate] = useLocation()
  const sending = useStore(sendStates, (all) => all[account] ?? idle)
  const update = (next: SendState) => sendStates.patch({ [account]: next })

  const send = async (draft: Draft) => {
    update({ progress: 0, error: null })
    const onProgress = (progress: number) => update({ progress, error: null })
    try {
      const form = toFormData(draft, clientIdFor(account, draft))
      const { post } = await callEndpoint(postEndpoints.create, {}, { form, onProgress })
      addOwnNewPostToStore(post)
    } catch (failure) {
      const mustLogIn = isErrorWithStatus(failure, 401)
      update({ progress: null, error: mustLogIn ? null : failure })
      return mustLogIn && showLogInPromptToast()
    }
    attempts.delete(account)
    writeLocalStorage(draftKey(account), '')
    await savePictures(account, [])
    forgetInitialEndpointResponses()
    client.removeQueries({ queryKey: [postEndpoints.firstSteps.path] })
    closeLogInPromptToast()
    showToast(
      <SpecificationTextWithTranslation translation={t.postedTranslation}>
        {t.posted}
      </SpecificationTextWithTranslation>,
      {
        alert: true,
      },
    )
    if (location.pathname === '/post') navigate('/')
    update(idle)
  }
  /** Hides the error of the last request when the member has changed the post. */
  const clearError = () => {
    if (sending.error !== null) update(idle)
  }
  return { send, clearError, ...sending }
}

function toFormData({ text, pictures, audience }: Draft, id: string) {
  const form = new FormData()
  form.set('client_id', id)
  form.set('text', text)
  for (const [name, value] of Object.entries(toPostAudienceFormFields(audience))) form.set(name, value)
  for (const { file, alt } of pictures) {
    form.append('images[]', file, file.name)
    form.append('alt[]', alt)
  }
  return form
}
