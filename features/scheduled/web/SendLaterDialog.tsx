import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { callEndpoint } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useLang, useText } from '#web/i18n.ts'
import { randomId } from '#web/id.ts'
import { toLocal } from '#web/local-time.ts'
import type { SendLaterProps } from '#web/send-later.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { scheduledEndpoints } from '../contract.ts'
import { choicesAt } from './choices.ts'
import { countStore, useCount } from './count.ts'
import { TimeFields, toDue } from './TimeFields.tsx'
import { sendLaterText } from './text.ts'

interface Props extends Omit<SendLaterProps, 'disabled'> {
  onClose: () => void
}

/** Nothing to send, or too much of it: the form says what. */
class NotReady extends Error {}

async function send(
  { target, collect }: Pick<Props, 'target' | 'collect'>,
  client_id: string,
  due_at: string,
) {
  const form = await collect()
  if (!form) throw new NotReady()
  for (const [name, value] of Object.entries({ client_id, due_at })) form.set(name, value)
  if (target.kind === 'post') return callEndpoint(scheduledEndpoints.addPost, { due_at }, { form })
  form.set(target.kind === 'person' ? 'user_id' : 'group_id', String(target.id))
  return callEndpoint(scheduledEndpoints.addMessage, { due_at }, { form })
}

export default function SendLaterDialog({ target, collect, onDone, onClose }: Props) {
  const t = useText(sendLaterText)
  const lang = useLang()
  const explain = useErrorText()
  const count = useCount()
  const [local, setLocal] = useState(() => toLocal(choicesAt(new Date())[0]![1]))
  const [isWrong, setWrong] = useState(false)
  // The same if it is tried again, because it may have been stored although the response was lost.
  const [client_id] = useState(randomId)
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: (due_at: string) => send({ target, collect }, client_id, due_at),
    onSuccess: ({ due_at, count: waiting }) => {
      countStore.set({ count: waiting })
      // At once, because closing the dialog moves the focus, and `onDone` must move it after that.
      flushSync(onClose)
      onDone()
      showToast(
        <>
          {t.willBeSent(`${dates.weekday(due_at, lang)} ${dates.clock(due_at, lang)}`)}{' '}
          <Link className="toast-link" href="/scheduled">
            {t.show}
          </Link>
        </>,
        { key: 'scheduled' },
      )
    },
    onError: (failure) => hasStatus(failure, 401) && showLogInToast(),
  })
  const change = (next: string) => {
    setLocal(next)
    setWrong(false)
    reset()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const due = toDue(local)
    setWrong(!due)
    if (due && !isPending) mutate(due)
  }
  return (
    <Dialog open title={t.title} onClose={onClose} className="send-later-dialog">
      <form onSubmit={submit}>
        <TimeFields value={local} onChange={change} error={isWrong ? t.wrongTime : undefined} />
        {error && <Notice kind="error">{error instanceof NotReady ? t.notReady : explain(error)}</Notice>}
        {count > 0 && (
          <p>
            <Link className="link" href="/scheduled">
              {t.waiting(count)}
            </Link>
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {t.schedule}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
