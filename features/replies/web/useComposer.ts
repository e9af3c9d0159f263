import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { countCodePoints, isBlank } from '#core/text/unicode.ts'
import { postComposerText } from '#features/posts/web/composer-text.ts'
import * as postStore from '#features/posts/web/post-store.ts'
import {
  addPictures,
  countExcess,
  type PickedPicture,
  preparePictures,
  usePreparation,
} from '#features/posts/web/prepare-pictures.ts'
import { callEndpoint } from '#web/api.ts'
import { closeLogInToast, hasStatus, showLogInToast } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { randomId } from '#web/id.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { type Reply, replyEndpoints } from '../contract.ts'
import { maxReplyLength } from './limits.ts'
import * as store from './reply-store.ts'

/** By the key of the draft. Kept in memory while the member visits other pages of the app. */
const chosenPictures = new Map<string, PickedPicture[]>()

/** The text is also saved in local storage. */
function useReplyDraft(key: string) {
  const [text, setText] = useState(() => readLocal(key) ?? '')
  const [pictures, setPictures] = useState(() => chosenPictures.get(key) ?? [])
  useEffect(() => {
    chosenPictures.set(key, pictures)
  }, [key, pictures])
  const saveText = (next: string) => {
    setText(next)
    writeLocal(key, next)
  }
  return { text, saveText, pictures, setPictures }
}

interface Draft {
  text: string
  pictures: readonly PickedPicture[]
  answered: Reply | null
}

function toFormData({ text, pictures, answered }: Draft, client_id: string) {
  const form = new FormData()
  form.set('client_id', client_id)
  form.set('text', text)
  if (answered) form.set('answers_id', String(answered.id))
  for (const { file, alt } of pictures) {
    form.append('images[]', file, file.name)
    form.append('alt[]', alt)
  }
  return form
}

function useSendReply(post: number, onSent: () => void) {
  // The client id stays when the same reply is sent again: the server may have stored it although the
  // response was lost.
  const attempt = useRef({ content: '', id: '' })
  return useMutation({
    mutationFn: (draft: Draft) => {
      const pictures = draft.pictures.map(({ key, alt }) => [key, alt])
      const content = JSON.stringify([draft.text, draft.answered?.id, pictures])
      if (attempt.current.content !== content) attempt.current = { content, id: randomId() }
      const form = toFormData(draft, attempt.current.id)
      return callEndpoint(replyEndpoints.create, { id: post }, { form })
    },
    onSuccess: ({ reply }) => {
      closeLogInToast()
      attempt.current = { content: '', id: '' }
      // If it is shown, the live event came before the response and has raised the number.
      const isShown = store.state
        .get()
        .posts.get(post)
        ?.rows.some(({ id }) => id === reply.id)
      const row = postStore.state.get().posts.get(post)
      if (!isShown && row) postStore.patch(post, { replies_count: row.replies_count + 1 })
      store.add(reply)
      onSent()
    },
    onError: (failure) => hasStatus(failure, 401) && showLogInToast(),
  })
}

export function useComposer(account: number, post: number, answered: Reply | null, onSent: () => void) {
  const texts = useText(postComposerText)
  const field = useRef<HTMLTextAreaElement>(null)
  const { text, saveText, pictures, setPictures } = useReplyDraft(`engawa:draft:${account}:reply:${post}`)
  const [warnings, setWarnings] = useState<string[]>([])
  const sending = useSendReply(post, () => {
    saveText('')
    setPictures([])
    setWarnings([])
    onSent()
    field.current?.focus({ preventScroll: true })
  })
  const charactersLeft = maxReplyLength - countCodePoints(text.trim())
  const isInvalid = charactersLeft < 0 || countExcess(pictures) > 0 || (isBlank(text) && !pictures.length)
  function submit() {
    setPressed(isPreparing)
    // A spelling checker may change the text area without an event.
    if (!isPreparing && !isInvalid && !sending.isPending)
      sending.mutate({ text: field.current!.value.trim(), pictures, answered })
  }
  const { prepare, isPreparing, setPressed } = usePreparation(submit)
  const addFiles = (files: readonly File[]) =>
    prepare(preparePictures(files, pictures.length, texts), (chosen) => {
      setWarnings(chosen.warnings)
      setPictures((now) => addPictures(now, chosen.picked))
    })
  const changeText = (next: string) => {
    setPressed(false)
    saveText(next)
  }
  const changePictures = (next: PickedPicture[]) => {
    setPressed(false)
    setPictures(next)
  }
  const { isPending: isSending, isSuccess } = sending
  const error = sending.error && !hasStatus(sending.error, 401) ? sending.error : null
  return {
    field,
    text,
    changeText,
    pictures,
    changePictures,
    warnings,
    addFiles,
    isPreparing,
    submit,
    charactersLeft,
    isInvalid,
    isSending,
    isSent: isSuccess && !text,
    error,
  }
}
