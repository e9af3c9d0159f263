import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, type SubmitEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { countCodePoints, isBlank } from '#core/text/unicode.ts'
import { callEndpoint } from '#web/api.ts'
import { type ExtraValues, textOf, useExtraDraft } from '#web/composer-extras.ts'
import { closeLogInToast, hasStatus, showLogInToast } from '#web/errors.ts'
import { useAutosize } from '#web/field-sizing.ts'
import { useLang, useText } from '#web/i18n.ts'
import { randomId } from '#web/id.ts'
import { hasMouse } from '#web/keyboard.ts'
import { writeLocal } from '#web/local-storage.ts'
import { forgetAnswers } from '#web/page-data.ts'
import { createStore, useStore } from '#web/store.ts'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { MAX_FILES, postEndpoints } from '../contract.ts'
import { audienceFields } from './AudienceField.tsx'
import type { AudienceChoice } from './audience-choice.ts'
import { chooseFiles } from './choose-files.ts'
import { postComposerText } from './composer-text.ts'
import { useDescriptions } from './DescriptionDialogs.tsx'
import { draftAudienceKey, extrasKey } from './draft-keys.ts'
import { maxPostLength } from './limits.ts'
import * as store from './post-store.ts'
import { addPictures, countExcess, type PickedPicture, usePreparation } from './prepare-pictures.ts'
import { appendFiles } from './previews.ts'
import { deleteDraft, usePostDraft } from './usePostDraft.ts'

export function useComposer(account: number, audience: AudienceChoice) {
  const textArea = useRef<HTMLTextAreaElement>(null)
  const fileInput = useRef<HTMLInputElement>(null)
  const { text, saveText, pictures, setPictures, files, setFiles, isSaved } = usePostDraft(account)
  const { extras, saveExtras } = useExtraDraft(extrasKey(account))
  const { send, clearError, progress, error } = useSendPost(account)
  const [warnings, setWarnings] = useState<string[]>([])
  const t = useText(postComposerText)
  const lang = useLang()
  const charactersLeft = maxPostLength - countCodePoints(text.trim())
  const isEmpty = isBlank(text) && !textOf(extras) && pictures.length === 0 && files.length === 0
  const excessPictures = countExcess(pictures)
  const isSending = progress !== null

  useCaretAtEnd(textArea)
  useTextOf(textArea, text)
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
  const changeFiles = (next: PickedPicture[]) => {
    setPressed(false)
    clearError()
    setFiles(next)
    setWarnings([])
  }
  const changeExtras = (next: ExtraValues) => {
    clearError()
    saveExtras(next)
  }
  const { prepare, isPreparing, setPressed } = usePreparation(() => submit())
  const add = async (given: readonly File[]) => {
    if (isSending) return
    const chosen = chooseFiles(given, { pictures, files }, t, lang)
    await prepare(chosen, ({ picked, files: others, warnings: found }) => {
      if (picked.length || others.length) clearError()
      setPictures((now) => addPictures(now, picked))
      setFiles((now) => [...now, ...others].slice(0, MAX_FILES))
      setWarnings(found)
    })
  }
  const addPicked = async (given: readonly File[]) => {
    await add(given)
    // The file input has lost the focus if it is disabled now because no more pictures may be added.
    if (fileInput.current?.disabled)
      fileInput.current.form?.querySelectorAll<HTMLElement>('.describe-button')[pictures.length]?.focus()
  }
  /** Null if it cannot be sent as it is. */
  const read = () => {
    // A spelling checker may change the text area without an event.
    const written = textArea.current!.value.trim() || textOf(extras)
    const isTooLong = countCodePoints(written) > maxPostLength
    const isNothing = isBlank(written) && !pictures.length && !files.length
    if (isSending || isPreparing || isTooLong || excessPictures || isNothing) return null
    return { text: written, pictures, files, audience, extras }
  }
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault()
    setPressed(isPreparing)
    const draft = read()
    if (draft && !descriptions.remind()) send(draft)
  }
  const later = {
    async collect() {
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
    setFiles([])
    saveExtras({})
    writeLocal(draftAudienceKey(account), '')
  }
  return {
    textArea,
    fileInput,
    text,
    pictures,
    files,
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
    changeFiles,
    changeExtras,
    add,
    addPicked,
    submit,
    later,
    discard,
  }
}

/** A draft of another device may come while the form is open. */
function useTextOf(textArea: RefObject<HTMLTextAreaElement | null>, text: string) {
  useLayoutEffect(() => {
    if (textArea.current!.value !== text) textArea.current!.value = text
  }, [textArea, text])
}

function useCaretAtEnd(textArea: RefObject<HTMLTextAreaElement | null>) {
  useLayoutEffect(() => {
    const area = textArea.current
    if (hasMouse()) area?.focus()
    area?.setSelectionRange(area.value.length, area.value.length)
  }, [textArea])
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
  files: PickedPicture[]
  audience: AudienceChoice
  extras: ExtraValues
}

const attempts = new Map<number, { content: string; id: string }>()

/**
 * The same when a post is sent again, because the server may have stored it although the response was lost.
 */
function clientIdFor(account: number, { text, pictures, files, audience, extras }: Draft) {
  const chosen = [...pictures, ...files].map(({ key, alt }) => [key, alt])
  const content = JSON.stringify([text, audience, extras, chosen])
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
      const form = await toFormData(draft, clientIdFor(account, draft))
      const { post } = await callEndpoint(postEndpoints.create, {}, { form, onProgress })
      store.addOwn(post)
    } catch (failure) {
      const mustLogIn = hasStatus(failure, 401)
      update({ progress: null, error: mustLogIn ? null : failure })
      return mustLogIn && showLogInToast()
    }
    attempts.delete(account)
    await deleteDraft(account)
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

async function toFormData({ text, pictures, files, audience, extras }: Draft, id: string) {
  const form = new FormData()
  form.set('client_id', id)
  form.set('text', text)
  for (const [name, value] of Object.entries(audienceFields(audience))) form.set(name, value)
  if (Object.keys(extras).length) form.set('extras', JSON.stringify(extras))
  for (const { file, alt } of pictures) {
    form.append('images[]', file, file.name)
    form.append('alt[]', alt)
  }
  await appendFiles(form, files)
  return form
}
