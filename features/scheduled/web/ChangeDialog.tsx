import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { MAX_MESSAGE_LENGTH } from '#features/messages/contract.ts'
import { MAX_POST_LENGTH } from '#features/posts/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { toLocal } from '#web/local-time.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextAreaField } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { type Scheduled, scheduledEndpoints } from '../contract.ts'
import { scheduledText } from './page-text.ts'
import { TimeFields, toDue } from './TimeFields.tsx'
import { sendLaterText } from './text.ts'

interface Props {
  scheduled: Scheduled
  onDone: () => void
  onClose: () => void
}

/** Another time, and another text. */
export function ChangeDialog({ scheduled: { id, kind, text: given, due_at }, onDone, onClose }: Props) {
  const t = useText(scheduledText)
  const later = useText(sendLaterText)
  const explain = useErrorText()
  const [text, setText] = useState(given ?? '')
  const [local, setLocal] = useState(() => toLocal(due_at))
  const [isWrong, setWrong] = useState(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (due: string) => callEndpoint(scheduledEndpoints.change, { id, due_at: due, text }),
    onSuccess: () => {
      onClose()
      onDone()
    },
    onError: (failure) => hasStatus(failure, 401) && showLogInToast(),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const due = toDue(local)
    setWrong(!due)
    if (due && !isPending) mutate(due)
  }
  return (
    <Dialog open title={t.changeTitle} onClose={onClose} className="send-later-dialog">
      <form onSubmit={submit}>
        <TextAreaField
          label={t.text}
          rows={3}
          dir="auto"
          maxLength={kind === 'post' ? MAX_POST_LENGTH : MAX_MESSAGE_LENGTH}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <TimeFields
          value={local}
          onChange={(next) => {
            setLocal(next)
            setWrong(false)
          }}
          error={isWrong ? later.wrongTime : undefined}
        />
        {error && <Notice kind="error">{explain(error)}</Notice>}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
