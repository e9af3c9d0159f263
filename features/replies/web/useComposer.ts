import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { countCodePoints, isBlank } from '#core/text/unicode.ts'
import { MAX_FILES } from '#features/posts/contract.ts'
import { chooseFiles } from '#features/posts/web/choose-files.ts'
import { postComposerText } from '#features/posts/web/composer-text.ts'
import * as postStore from '#features/posts/web/post-store.ts'
import {
  addPictures,
  countExcess,
  type PickedPicture,
  usePreparation,
} from '#features/posts/web/prepare-pictures.ts'
import { appendFiles } from '#features/posts/web/previews.ts'
import { callEndpoint } from '#web/api.ts'
import { closeLogInToast, hasStatus, showLogInToast } from '#web/errors.ts'
import { useLang, useText } from '#web/i18n.ts'
import { randomId } from '#web/id.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { type Reply, replyEndpoints } from '../contract.ts'
import { maxReplyLength } from './limits.ts'
import * as store from './reply-store.ts'

/** By the key of the draft. Kept in memory while the member visits other pages of the app. */
const chosen = new Map<string, Record<'pictures' | 'files', PickedPicture[]>>()

/** The text is also saved in local storage. */
function useReplyDraft(key: string) {
  const [text, setText] = useState(() => readLocal(key) ?? '')
  const [pictures, setPictures] = useState(() => chosen.get(key)?.pictures ?? [])
  const [files, setFiles] = useState(() => chosen.get(key)?.files ?? [])
  useEffect(() => {
    chosen.set(key, { pictures, files })
  }, [key, pictures, files])
  const saveText = (next: string) => {
    setText(next)
    writeLocal(key, next)
  }
  return { text, saveText, pictures, setPictures, files, setFiles }
}

interface Draft {
  text: string
  pictures: readonly PickedPicture[]
  files: readonly PickedPicture[]
  answered: Reply | null
}

async function toFormData({ text, pictures, files, answered }: Draft, client_id: string) {
  const form = new FormData()
  form.set('client_id', client_id)
  form.set('text', text)
  if (answered) form.set('answers_id', String(answered.id))
  for (const { file, alt } of pictures) {
    form.append('images[]', file, file.name)
    form.append('alt[]', alt)
  }
  await appendFiles(form, files)
  return form
}

function useSendReply(post: number, onSent: () => void) {
  // The client id stays when the same reply is sent again: the server may have stored it although the
  // response was lost.
  const attempt = useRef({ content: '', id: '' })
  return useMutation({
    mutationFn: async (draft: Draft) => {
      const attached = [...draft.pictures, ...draft.files].map(({ key, alt }) => [key, alt])
      const content = JSON.stringify([draft.text, draft.answered?.id, attached])
      if (attempt.current.content !== content) attempt.current = { content, id: randomId() }
      const form = await toFormData(draft, attempt.current.id)
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
  const lang = useLang()
  const draft = useReplyDraft(`engawa:draft:${account}:reply:${post}`)
  const { text, saveText, pictures, setPictures, files, setFiles } = draft
  const [warnings, setWarnings] = useState<string[]>([])
  const sending = useSendReply(post, () => {
    saveText('')
    setPictures([])
    setFiles([])
    setWarnings([])
    onSent()
    field.current?.focus({ preventScroll: true })
  })
  const charactersLeft = maxReplyLength - countCodePoints(text.trim())
  const isEmpty = isBlank(text) && !pictures.length && !files.length
  const isInvalid = charactersLeft < 0 || countExcess(pictures) > 0 || isEmpty
  function submit() {
    setPressed(isPreparing)
    // A spelling checker may change the text area without an event.
    if (!isPreparing && !isInvalid && !sending.isPending)
      sending.mutate({ text: field.current!.value.trim(), pictures, files, answered })
  }
  const { prepare, isPreparing, setPressed } = usePreparation(submit)
  const addFiles = (given: readonly File[]) =>
    prepare(chooseFiles(given, draft, texts, lang), (found) => {
      setWarnings(found.warnings)
      setPictures((now) => addPictures(now, found.picked))
      setFiles((now) => [...now, ...found.files].slice(0, MAX_FILES))
    })
  const changeText = (next: string) => {
    setPressed(false)
    saveText(next)
  }
  const changePictures = (next: PickedPicture[]) => {
    setPressed(false)
    setPictures(next)
  }
  const changeFiles = (next: PickedPicture[]) => {
    setPressed(false)
    setFiles(next)
  }
  const { isPending: isSending, isSuccess } = sending
  const error = sending.error && !hasStatus(sending.error, 401) ? sending.error : null
  return {
    field,
    text,
    changeText,
    pictures,
    changePictures,
    files,
    changeFiles,
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
