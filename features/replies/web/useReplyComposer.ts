import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { countCodePoints } from '#core/unicode.ts'
import { postComposerText } from '#features/posts/web/composer-text.ts'
import { configuredMaxPostLength } from '#features/posts/web/limits.ts'
import { patchPostInStore, postStore } from '#features/posts/web/post-store.ts'
import {
  addPicturesUpToLimit,
  checkAndPreparePictures,
  countExcessPictures,
  type PickedPictureFileAndDescription,
} from '#features/posts/web/prepare-pictures.ts'
import { callEndpoint } from '#web/api.ts'
import { closeLogInPromptToast, isErrorWithStatus, showLogInPromptToast } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { createRandomId } from '#web/id.ts'
import { readLocalStorage, writeLocalStorage } from '#web/local-storage.ts'
import { type Reply, replyEndpoints } from '../contract.ts'
import { addReplyToStore, replyStore } from './reply-store.ts'

/**
 * The chosen pictures of each draft of a reply, by the key of the draft. They stay in memory while the member
 * visits other pages of the app.
 */
const chosenPictures = new Map<string, PickedPictureFileAndDescription[]>()

/**
 * Returns the text and the pictures of the reply that the member is writing, and functions that change them.
 * The text is also saved in local storage.
 */
function useReplyDraft(key: string) {
  const [text, setText] = useState(() => readLocalStorage(key) ?? '')
  const [pictures, setPictures] = useState(() => chosenPictures.get(key) ?? [])
  useEffect(() => {
    chosenPictures.set(key, pictures)
  }, [key, pictures])
  const saveText = (next: string) => {
    setText(next)
    writeLocalStorage(key, next)
  }
  return { text, saveText, pictures, setPictures }
}

interface Draft {
  text: string
  pictures: readonly PickedPictureFileAndDescription[]
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

/** Returns a mutation that sends a new reply to the server, and then adds the reply to the page. */
function useSendReply(post: number, onSent: () => void) {
  // Keeps the client id when the same reply is sent again, because the server may have stored the reply
  // although the response was lost.
  const attempt = useRef({ content: '', id: '' })
  return useMutation({
    mutationFn: (draft: Draft) => {
      const pictures = draft.pictures.map(({ key, alt }) => [key, alt])
      const content = JSON.stringify([draft.text, draft.answered?.id, pictures])
      if (attempt.current.content !== content) attempt.current = { content, id: createRandomId() }
      const form = toFormData(draft, attempt.current.id)
      return callEndpoint(replyEndpoints.create, { id: post }, { form })
    },
    onSuccess: ({ reply }) => {
      closeLogInPromptToast()
      attempt.current = { content: '', id: '' }
      // Raises the number of replies to the post only if the reply is not shown yet. If it is shown, the live
      // event came before the response and has already raised the number.
      const isShown = replyStore
        .get()
        .posts.get(post)
        ?.rows.some(({ id }) => id === reply.id)
      const row = postStore.get().posts.get(post)
      if (!isShown && row) patchPostInStore(post, { replies_count: row.replies_count + 1 })
      addReplyToStore(reply)
      onSent()
    },
    onError: (failure) => isErrorWithStatus(failure, 401) && showLogInPromptToast(),
  })
}

/**
 * Returns the state of the form for a new reply, and the functions that the fields and buttons of the form
 * call.
 */
export function useReplyComposer(account: number, post: number, answered: Reply | null, onSent: () => void) {
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
  const charactersLeft = configuredMaxPostLength - countCodePoints(text.trim())
  const isInvalid =
    charactersLeft < 0 || countExcessPictures(pictures) > 0 || (!text.trim() && !pictures.length)
  const submit = () => {
    // Reads the text from the text area, because a spelling checker may change it without an event.
    if (!isInvalid && !sending.isPending)
      sending.mutate({ text: field.current!.value.trim(), pictures, answered })
  }
  async function addFiles(files: readonly File[]) {
    const chosen = await checkAndPreparePictures(files, pictures.length, texts)
    setWarnings(chosen.warnings)
    setPictures((now) => addPicturesUpToLimit(now, chosen.picked))
  }
  const { isPending: isSending, isSuccess } = sending
  const error = sending.error && !isErrorWithStatus(sending.error, 401) ? sending.error : null
  return {
    field,
    text,
    saveText,
    pictures,
    setPictures,
    warnings,
    addFiles,
    submit,
    charactersLeft,
    isInvalid,
    isSending,
    isSent: isSuccess && !text,
    error,
  }
}
