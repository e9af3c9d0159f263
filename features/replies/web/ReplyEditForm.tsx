import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { countCodePoints } from '#core/unicode.ts'
import { CharactersLeft } from '#features/posts/web/CharactersLeft.tsx'
import { configuredMaxPostLength } from '#features/posts/web/limits.ts'
import { toDataMentionsAttributeOfPost } from '#features/posts/web/mention-scope.ts'
import { postStore } from '#features/posts/web/post-store.ts'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useAutosizeTextArea } from '#web/field-sizing.ts'
import { useText } from '#web/i18n.ts'
import { isCtrlOrCommandEnter } from '#web/keyboard.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { type Reply, replyEndpoints } from '../contract.ts'
import { patchReplyInStore } from './reply-store.ts'
import { repliesText } from './text.ts'

/** Renders the form in which a member changes the text of their own reply. */
export function ReplyEditForm({ reply, onClose }: { reply: Reply; onClose: () => void }) {
  const t = useText(repliesText)
  const explain = useErrorFormatter()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(reply.body ?? '')
  useAutosizeTextArea(field, text)
  useLayoutEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [])
  const close = () => {
    const card = field.current?.closest<HTMLElement>('article')
    onClose()
    card?.focus({ preventScroll: true })
  }
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => callEndpoint(replyEndpoints.edit, { id: reply.id, text: field.current!.value.trim() }),
    onSuccess: ({ reply: { body, edited_at } }) => {
      patchReplyInStore(reply.post_id, reply.id, { body, edited_at })
      close()
    },
    onError: (failure) => isErrorWithStatus(failure, 401) && showLogInPromptToast(),
  })
  const charactersLeft = configuredMaxPostLength - countCodePoints(text.trim())
  const isInvalid = charactersLeft < 0 || (!text.trim() && !reply.images.length)
  const submit = () => {
    if (!isInvalid && !isPending) mutate()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isCtrlOrCommandEnter(event)) submit()
    else if (event.key === 'Escape') close()
  }
  return (
    <form
      className="reply-edit"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <textarea
        ref={field}
        className="input"
        aria-label={t.textOfReply}
        dir="auto"
        rows={1}
        data-mentions={toDataMentionsAttributeOfPost(postStore.get().posts.get(reply.post_id))}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {error && <Notice kind="error">{explain(error)}</Notice>}
      <div className="reply-tools">
        <CharactersLeft count={charactersLeft} />
        <Button small onClick={close}>
          {t.cancel}
        </Button>
        <Button small kind="primary" type="submit" pending={isPending} disabled={isInvalid}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
