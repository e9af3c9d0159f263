import './edit-post.css'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { countCodePoints } from '#core/unicode.ts'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useAutosizeTextArea } from '#web/field-sizing.ts'
import { useText } from '#web/i18n.ts'
import { isCtrlOrCommandEnter } from '#web/keyboard.ts'
import { readLocalStorage, writeLocalStorage } from '#web/local-storage.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import type { Post } from '../contract.ts'
import { postEditEndpoints } from '../edit-contract.ts'
import { CharactersLeft } from './CharactersLeft.tsx'
import { postEditText } from './edit-text.ts'
import { configuredMaxPostLength } from './limits.ts'
import { toDataMentionsAttributeOfPost } from './mention-scope.ts'
import { patchPostInStore } from './post-store.ts'

/**
 * Renders the dialog in which a member changes the text of their own post. Local storage keeps the typed text
 * until the text is saved or the member presses Cancel, so that it survives a closed dialog or a failed
 * request.
 */
export default function EditPostDialog({ post, onClose }: { post: Post; onClose: () => void }) {
  const t = useText(postEditText)
  const explain = useErrorFormatter()
  const field = useRef<HTMLTextAreaElement>(null)
  const draftKey = `engawa:edited-post:${post.id}`
  const [text, setText] = useState(() => readLocalStorage(draftKey) ?? post.body ?? '')
  useAutosizeTextArea(field, text)
  const closeWithoutDraft = () => {
    writeLocalStorage(draftKey, '')
    onClose()
  }
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      callEndpoint(postEditEndpoints.edit, { id: post.id, text: field.current!.value.trim() }),
    onSuccess: ({ message, post: { body, edited_at } }) => {
      patchPostInStore(post.id, { body, ...(edited_at && { edited_at }) })
      closeWithoutDraft()
      showToast(message)
    },
    onError: (failure) => isErrorWithStatus(failure, 401) && showLogInPromptToast(),
  })
  const charactersLeft = configuredMaxPostLength - countCodePoints(text.trim())
  const hasPicture = post.images.length > 0 || Boolean(post.removed_images)
  const isInvalid = charactersLeft < 0 || (!text.trim() && !hasPicture)
  const submit = () => {
    if (!isInvalid && !isPending) mutate()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isCtrlOrCommandEnter(event)) submit()
  }
  return (
    <Dialog open title={t.title} onClose={onClose} className="edit-post">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <textarea
          ref={field}
          className="input"
          aria-label={t.label}
          dir="auto"
          rows={4}
          data-mentions={toDataMentionsAttributeOfPost(post)}
          value={text}
          onChange={({ target: { value } }) => {
            setText(value)
            writeLocalStorage(draftKey, value === post.body ? '' : value)
          }}
          onKeyDown={onKeyDown}
        />
        <p className="text-meta edit-post-help">
          {t.help} <CharactersLeft count={charactersLeft} />
        </p>
        {error && <Notice kind="error">{explain(error)}</Notice>}
        <div className="dialog-actions">
          <Button onClick={closeWithoutDraft}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending} disabled={isInvalid}>
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
