import { useQueryClient } from '@tanstack/react-query'
import { del, get, set } from 'idb-keyval'
import { type RefObject, type SubmitEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { countCodePoints, isBlank } from '#core/text/unicode.ts'
import { findTags, parseTag } from '#features/people/text-parts-contract.ts'
import { callEndpoint } from '#web/api.ts'
import { type ExtraValues, useExtraDraft } from '#web/composer-extras.ts'
import { closeLogInToast, hasStatus, showLogInToast } from '#web/errors.ts'
import { useAutosize } from '#web/field-sizing.ts'
import { useText } from '#web/i18n.ts'
import { randomId } from '#web/id.ts'
import { hasMouse } from '#web/keyboard.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { forgetAnswers } from '#web/page-data.ts'
import { createStore, useStore } from '#web/store.ts'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { postEndpoints } from '../contract.ts'
import { audienceFields } from './AudienceField.tsx'
import type { AudienceChoice } from './audience-choice.ts'
import { postComposerText } from './composer-text.ts'
import { useDescriptions } from './DescriptionDialogs.tsx'
import { draftKey, extrasKey } from './draft-keys.ts'
import { maxPostLength } from './limits.ts'
import * as store from './post-store.ts'
import {
  addPictures,
  countExcess,
  fromStored,
  type PickedPicture,
  preparePictures,
  type StoredPicture,
  toStored,
  usePreparation,
} from './prepare-pictures.ts'

export function useComposer(account: number, audience: AudienceChoice) {
  const textArea = useRef<HTMLTextAreaElement>(null)
  const fileInput = useRef<HTMLInputElement>(null)
  const { text, saveText, pictures, setPictures, isSaved } = usePostDraft(account)
  const { extras, saveExtras } = useExtraDraft(extrasKey(account))
  const { send, clearError, progress, error } = useSendPost(account)
  const [warnings, setWarnings] = useState<string[]>([])
  const t = useText(postComposerText)
  const charactersLeft = maxPostLength - countCodePoints(text.trim())
  const isEmpty = isBlank(text) && pictures.length === 0
  const excessPictures = countExcess(pictures)
  const isSending = progress !== null

  useCaretAtEnd(textArea)
  useAutosize(textArea, text)

  const changeText = (value: string) => {
    clearError()
    setPressed(false)
    saveText(value)
  }
  const changePictures = (next: PickedPicture[], nextWarnings: string[] = []) => {
    setPressed(false)
    if (next !== pictures) clearError()
    setPictures(next)
    setWarnings(nextWarnings)
  }
  const changeExtras = (next: ExtraValues) => {
    clearError()
    saveExtras(next)
  }
  const { prepare, isPreparing, setPressed } = usePreparation(() => submit())
  const add = async (files: readonly File[]) => {
    if (isSending) return
    await prepare(preparePictures(files, pictures.length, t), ({ picked, warnings: found }) => {
      if (picked.length) clearError()
      setPictures((now) => addPictures(now, picked))
      setWarnings(found)
    })
  }
  const addPicked = async (files: readonly File[]) => {
    await add(files)
    // The file input has lost the focus if it is disabled now because no more pictures may be added.
    if (fileInput.current?.disabled)
      fileInput.current.form?.querySelectorAll<HTMLElement>('.describe-button')[pictures.length]?.focus()
  }
  /** Null if it cannot be sent as it is. */
  const read = () => {
    // A spelling checker may change the text area without an event.
    const written = textArea.current!.value.trim()
    const isTooLong = countCodePoints(written) > maxPostLength
    if (isSending || isPreparing || isTooLong || excessPictures || (isBlank(written) && !pictures.length))
      return null
    return { text: written, pictures, audience, extras }
  }
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault()
    setPressed(isPreparing)
    const draft = read()
    if (draft && !descriptions.remind()) send(draft)
  }
  const later = {
    collect() {
      const draft = read()
      return draft && toFormData(draft, randomId())
    },
    onDone: () => discard(),
  }
  const descriptions = useDescriptions(pictures, setPictures, submit)
  const discard = () => {
    textArea.current!.value = ''
    textArea.current!.focus()
    changeText('')
    changePictures([])
    saveExtras({})
  }
  return {
    textArea,
    fileInput,
    text,
    pictures,
    extras,
    warnings,
    charactersLeft,
    excessPictures,
    progress,
    error,
    isEmpty,
    // Null while a picture is being prepared, because the saved draft does not contain it yet.
    isSaved: isPreparing ? null : isSaved,
    isSending,
    isPreparing,
    descriptions,
    changeText,
    changePictures,
    changeExtras,
    add,
    addPicked,
    submit,
    later,
    discard,
  }
}

function useCaretAtEnd(textArea: RefObject<HTMLTextAreaElement | null>) {
  useLayoutEffect(() => {
    const area = textArea.current
    if (hasMouse()) area?.focus()
    area?.setSelectionRange(area.value.length, area.value.length)
  }, [textArea])
}

// The text of a draft is in local storage, which writes at once, and its pictures are in IndexedDB, which has
// enough space. `saving` resolves when the last call of `savePictures` has ended.
let saving: Promise<unknown> = Promise.resolve()

/** Each call waits for the previous one. False if the pictures were not saved. */
function savePictures(account: number, pictures: readonly PickedPicture[]) {
  const key = draftKey(account)
  const saved = saving
    .then(() => toStored(pictures))
    .then((stored) => (stored.length ? set(key, stored) : del(key)))
    .then(
      () => true,
      () => false,
    )
  saving = saved
  return saved
}

/**
 * Adds the tag that the address of the page names, as in `/post?tag=garden`. Replaces a draft that contains
 * only tags, so that tags of several such addresses do not add up.
 */
function addTagFromUrl(draft: string) {
  const tag = parseTag(new URLSearchParams(location.search).get('tag') ?? '')
  if (!tag || findTags(draft).includes(tag)) return draft
  const words = draft.replace(/[#＃]\S+/gu, '').trim()
  return words ? `${draft}${/\s$/.test(draft) ? '' : ' '}#${tag} ` : `#${tag} `
}

/** Begins with the saved draft. */
function usePostDraft(account: number) {
  const [text, setText] = useState(() => addTagFromUrl(readLocal(draftKey(account)) ?? ''))
  const [isTextSaved, setTextSaved] = useState(true)
  const [pictures, setPictures] = useState<PickedPicture[]>([])
  const [lastSave, setLastSave] = useState<{
    pictures: PickedPicture[]
    succeeded: boolean
  } | null>(null)
  const [isRestored, setRestored] = useState(false)

  useEffect(() => {
    let isCurrent = true
    get<StoredPicture[]>(draftKey(account))
      .catch(() => undefined)
      .then((found = []) => {
        if (!isCurrent) return
        setPictures((now) => [...fromStored(found), ...now])
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
    setTextSaved(writeLocal(draftKey(account), value))
  }
  /** Null while they are being saved. */
  const arePicturesSaved = lastSave?.pictures === pictures ? lastSave.succeeded : null
  return { text, saveText, pictures, setPictures, isSaved: isTextSaved && arePicturesSaved }
}

interface SendState {
  /** The part that has been sent, from 0 to 1; null while no post is being sent. */
  progress: number | null
  error: unknown
}
const idle: SendState = { progress: null, error: null }

// By account, outside of the components, because a member may leave the page and come back while a post is
// sent.
const sendStates = createStore<Readonly<Record<number, SendState>>>({})
interface Draft {
  text: string
  pictures: PickedPicture[]
  audience: AudienceChoice
  extras: ExtraValues
}

const attempts = new Map<number, { content: string; id: string }>()

/**
 * The same when a post is sent again, because the server may have stored it although the response was lost.
 */
function clientIdFor(account: number, { text, pictures, audience, extras }: Draft) {
  const content = JSON.stringify([text, audience, extras, pictures.map(({ key, alt }) => [key, alt])])
  const before = attempts.get(account)
  if (before?.content === content) return before.id
  const id = randomId()
  attempts.set(account, { content, id })
  return id
}

/**
 * After a success, opens the home page if the form is still open. After a failure, the form keeps its
 * content.
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
      store.addOwn(post)
    } catch (failure) {
      const mustLogIn = hasStatus(failure, 401)
      update({ progress: null, error: mustLogIn ? null : failure })
      return mustLogIn && showLogInToast()
    }
    attempts.delete(account)
    writeLocal(draftKey(account), '')
    writeLocal(extrasKey(account), '')
    await savePictures(account, [])
    forgetAnswers()
    client.removeQueries({ queryKey: [postEndpoints.firstSteps.path] })
    closeLogInToast()
    showToast(<QuotedText translation={t.postedTranslation}>{t.posted}</QuotedText>, {
      alert: true,
    })
    if (location.pathname === '/post') navigate('/')
    update(idle)
  }
  const clearError = () => {
    if (sending.error !== null) update(idle)
  }
  return { send, clearError, ...sending }
}

function toFormData({ text, pictures, audience, extras }: Draft, id: string) {
  const form = new FormData()
  form.set('client_id', id)
  form.set('text', text)
  for (const [name, value] of Object.entries(audienceFields(audience))) form.set(name, value)
  if (Object.keys(extras).length) form.set('extras', JSON.stringify(extras))
  for (const { file, alt } of pictures) {
    form.append('images[]', file, file.name)
    form.append('alt[]', alt)
  }
  return form
}
