import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { countCodePoints, isBlank } from '#core/text/unicode.ts'
import { CharactersLeft } from '#features/posts/web/CharactersLeft.tsx'
import { mentionScope } from '#features/posts/web/mention-scope.ts'
import * as postStore from '#features/posts/web/post-store.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useAutosize } from '#web/field-sizing.ts'
import { useText } from '#web/i18n.ts'
import { isCtrlEnter, pressed } from '#web/keyboard.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { type Reply, replyEndpoints } from '../contract.ts'
import { maxReplyLength } from './limits.ts'
import * as store from './reply-store.ts'
import { repliesText } from './text.ts'

export function EditForm({ reply, onClose }: { reply: Reply; onClose: () => void }) {
  const t = useText(repliesText)
  const explain = useErrorText()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(reply.body ?? '')
  useAutosize(field, text)
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
      store.patch(reply.post_id, reply.id, { body, edited_at })
      close()
    },
    onError: (failure) => hasStatus(failure, 401) && showLogInToast(),
  })
  const charactersLeft = maxReplyLength - countCodePoints(text.trim())
  const isInvalid = charactersLeft < 0 || (isBlank(text) && !reply.images.length && !reply.files)
  const submit = () => {
    if (!isInvalid && !isPending) mutate()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isCtrlEnter(event)) submit()
    else if (pressed(event) === 'Escape') close()
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
        data-mentions={mentionScope(postStore.state.get().posts.get(reply.post_id))}
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
