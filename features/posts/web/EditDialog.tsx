import './edit-post.css'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { countCodePoints, isBlank } from '#core/text/unicode.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useAutosize } from '#web/field-sizing.ts'
import { useText } from '#web/i18n.ts'
import { isCtrlEnter } from '#web/keyboard.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { editEndpoints, type Post } from '../contract.ts'
import { CharactersLeft } from './CharactersLeft.tsx'
import { maxPostLength } from './limits.ts'
import { mentionScope } from './mention-scope.ts'
import { editText } from './menu-text.ts'
import * as store from './post-store.ts'

/**
 * Local storage keeps the typed text until it is saved or the member presses Cancel, so that it survives a
 * closed dialog or a failed request.
 */
export default function EditDialog({ post, onClose }: { post: Post; onClose: () => void }) {
  const t = useText(editText)
  const explain = useErrorText()
  const field = useRef<HTMLTextAreaElement>(null)
  const draftKey = `engawa:edited-post:${post.id}`
  const [text, setText] = useState(() => readLocal(draftKey) ?? post.body ?? '')
  useAutosize(field, text)
  const closeWithoutDraft = () => {
    writeLocal(draftKey, '')
    onClose()
  }
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => callEndpoint(editEndpoints.edit, { id: post.id, text: field.current!.value.trim() }),
    onSuccess: ({ message, post: { body, edited_at } }) => {
      store.patch(post.id, { body, ...(edited_at && { edited_at }) })
      closeWithoutDraft()
      showToast(message)
    },
    onError: (failure) => hasStatus(failure, 401) && showLogInToast(),
  })
  const charactersLeft = maxPostLength - countCodePoints(text.trim())
  const hasPicture = post.images.length > 0 || Boolean(post.files || post.removed_images)
  const isInvalid = charactersLeft < 0 || (isBlank(text) && !hasPicture)
  const submit = () => {
    if (!isInvalid && !isPending) mutate()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isCtrlEnter(event)) submit()
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
          data-mentions={mentionScope(post)}
          value={text}
          onChange={({ target: { value } }) => {
            setText(value)
            writeLocal(draftKey, value === post.body ? '' : value)
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
