import { useQueryClient } from '@tanstack/react-query'
import { del, get, set } from 'idb-keyval'
import { type SubmitEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import { codePointLength } from '#core/contract.ts'
import { api } from '#web/api.ts'
import { closePleaseLogIn, isHttpError, pleaseLogIn } from '#web/errors.ts'
import { useFieldSizing } from '#web/field-sizing.ts'
import { useText } from '#web/i18n.ts'
import { newId } from '#web/id.ts'
import { hasMouse } from '#web/keyboard.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { forgetInitialAnswers } from '#web/page-data.ts'
import { createStore, useStore } from '#web/store.ts'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { MOST_IMAGES, posts, TEXT_LENGTH } from '../contract.ts'
import { choose, fromStored, type Picked, type StoredPicture, toStored } from './choose-pictures.ts'
import { composerText } from './composer-text.ts'
import { useDescriptions } from './Descriptions.tsx'
import { addOwnPost } from './post-store.ts'

/** The state of the form for a new post, and everything that its fields and buttons do. */
export function useComposer(account: number) {
  const area = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const { text, write, pictures, setPictures, isSaved } = useDraft(account)
  const { send, clearError, sent, error } = useSending(account)
  const [notes, setNotes] = useState<string[]>([])
  const left = TEXT_LENGTH - codePointLength(text.trim())
  const isEmpty = !text.trim() && pictures.length === 0
  const isSending = sent !== null

  useLayoutEffect(() => {
    if (hasMouse()) area.current?.focus()
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length)
  }, [])

  useFieldSizing(area, text)

  const changeText = (value: string) => {
    clearError()
    write(value)
  }
  const changePictures = (next: Picked[], nextNotes: string[] = []) => {
    if (next !== pictures) clearError()
    setPictures(next)
    setNotes(nextNotes)
  }
  const { prepare, isPreparing } = useAdding((picked, notes) => {
    if (picked.length) clearError()
    setPictures((now) => [...now, ...picked].slice(0, MOST_IMAGES))
    setNotes(notes)
  }, pictures.length)
  const add = async (files: readonly File[]) => {
    if (!isSending) await prepare(files)
  }
  const addPicked = async (files: readonly File[]) => {
    await add(files)
    // With four pictures the picker, which had the focus, is disabled.
    if (picker.current?.disabled)
      picker.current.form?.querySelectorAll<HTMLElement>('.describe-button')[pictures.length]?.focus()
  }
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault()
    // Read from the field itself: spelling checkers may change it without an event.
    const written = area.current!.value.trim()
    if (isSending || isPreparing || codePointLength(written) > TEXT_LENGTH || !(written || pictures.length))
      return
    if (!descriptions.remind()) send(written, pictures)
  }
  const descriptions = useDescriptions(pictures, setPictures, submit)
  const discard = () => {
    area.current!.value = ''
    area.current!.focus()
    changeText('')
    changePictures([])
  }
  return {
    area,
    picker,
    text,
    pictures,
    notes,
    left,
    sent,
    error,
    isEmpty,
    isSaved,
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

/** Prepares chosen files. `isPreparing` is true until the last of them is added: reading a large one takes a second. */
function useAdding(onAdd: (picked: Picked[], notes: string[]) => void, have: number) {
  const t = useText(composerText)
  const [waiting, setWaiting] = useState(0)
  const prepare = async (files: readonly File[]) => {
    setWaiting((now) => now + 1)
    const { picked, notes } = await choose(files, have, t)
    flushSync(() => {
      onAdd(picked, notes)
      setWaiting((now) => now - 1)
    })
  }
  return { prepare, isPreparing: waiting > 0 }
}

/** A draft belongs to an account: the next person at this device does not find it. */
const draftKey = (account: number) => `engawa:draft:${account}`

// Local storage keeps the text, as it writes at once; IndexedDB keeps the pictures, as it has room.
let saving: Promise<unknown> = Promise.resolve()

/** Saves one state after the other. Resolves with whether the pictures were saved. */
function savePictures(account: number, pictures: readonly Picked[]) {
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
 * The text and the pictures of a new post, beginning with those of the saved draft. Every change is saved.
 */
function useDraft(account: number) {
  const [text, setText] = useState(() => readLocal(draftKey(account)) ?? '')
  const [isTextSaved, setTextSaved] = useState(true)
  const [pictures, setPictures] = useState<Picked[]>([])
  /** Null while they are being saved. */
  const [arePicturesSaved, setPicturesSaved] = useState<boolean | null>(true)
  const [isRestored, setRestored] = useState(false)

  useEffect(() => {
    let isCurrent = true
    get<StoredPicture[]>(draftKey(account))
      .catch(() => undefined)
      .then((found = []) => {
        if (!isCurrent) return
        setPictures((now) => [...fromStored(found), ...now].slice(0, MOST_IMAGES))
        setRestored(true)
      })
    return () => {
      isCurrent = false
    }
  }, [account])
  useEffect(() => {
    if (!isRestored) return
    if (pictures.length) setPicturesSaved(null)
    void savePictures(account, pictures).then(setPicturesSaved)
  }, [account, pictures, isRestored])

  const write = (value: string) => {
    setText(value)
    setTextSaved(writeLocal(draftKey(account), value))
  }
  return { text, write, pictures, setPictures, isSaved: isTextSaved && arePicturesSaved }
}

interface Sending {
  /** Share of the post that has been sent, 0 to 1; null when none is being sent. */
  sent: number | null
  error: unknown
}
const idle: Sending = { sent: null, error: null }

// By account, and outside of the page: a member may leave it and come back while a post is being sent.
const sendings = createStore<Readonly<Record<number, Sending>>>({})
const attempts = new Map<number, { content: string; id: string }>()

/** A post keeps its id when it is sent again: the server may have stored it although the answer was lost. */
function idOf(account: number, text: string, pictures: Picked[]) {
  const content = JSON.stringify([text, pictures.map(({ key, alt }) => [key, alt])])
  const before = attempts.get(account)
  if (before?.content === content) return before.id
  const id = newId()
  attempts.set(account, { content, id })
  return id
}

/** Sends a post and goes to the list; after a failure everything stays as it was. */
function useSending(account: number) {
  const client = useQueryClient()
  const t = useText(composerText)
  const [, navigate] = useLocation()
  const sending = useStore(sendings, (all) => all[account] ?? idle)
  const update = (next: Sending) => sendings.patch({ [account]: next })

  const send = async (text: string, pictures: Picked[]) => {
    update({ sent: 0, error: null })
    const onProgress = (sent: number) => update({ sent, error: null })
    try {
      const form = formOf(text, pictures, idOf(account, text, pictures))
      const { post } = await api(posts.create, {}, { form, onProgress })
      addOwnPost(post)
    } catch (failure) {
      const mustLogIn = isHttpError(failure, 401)
      update({ sent: null, error: mustLogIn ? null : failure })
      return mustLogIn && pleaseLogIn()
    }
    attempts.delete(account)
    writeLocal(draftKey(account), '')
    await savePictures(account, [])
    forgetInitialAnswers()
    client.removeQueries({ queryKey: [posts.firstSteps.path] })
    closePleaseLogIn()
    toast(<QuotedText also={t.postedAlso}>{t.posted}</QuotedText>, { alert: true })
    if (location.pathname === '/post') navigate('/')
    update(idle)
  }
  /** Hides the error after the member has changed the post. */
  const clearError = () => {
    if (sending.error !== null) update(idle)
  }
  return { send, clearError, ...sending }
}

function formOf(text: string, pictures: Picked[], id: string) {
  const form = new FormData()
  form.set('client_id', id)
  form.set('text', text)
  for (const { file, alt } of pictures) {
    form.append('images[]', file, file.name)
    form.append('alt[]', alt)
  }
  return form
}
