import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { accountEndpoints } from '../contract.ts'
import { accountPageText } from './text.ts'

/** Thrown by `run` if the member closes the dialog. Callers show no error for it. */
export class ConfirmationCancelled extends Error {}

interface Question {
  resolve: () => void
  reject: (reason: ConfirmationCancelled) => void
}

/**
 * Returns `run`, which runs a sensitive call. If the server responds 423, because the member has not proved
 * for ten minutes that it is them, `run` asks for the password in `dialog`, and repeats the call.
 */
export function useConfirmation() {
  const [question, setQuestion] = useState<Question | null>(null)
  const run = async <T,>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call()
    } catch (error) {
      if (!isErrorWithStatus(error, 423)) throw error
    }
    await new Promise<void>((resolve, reject) => setQuestion({ resolve, reject }))
    return call()
  }
  const answer = (reply: (question: Question) => void) => {
    setQuestion(null)
    if (question) reply(question)
  }
  const dialog = question && (
    <ConfirmationDialog
      onConfirmed={() => answer(({ resolve }) => resolve())}
      onClose={() => answer(({ reject }) => reject(new ConfirmationCancelled()))}
    />
  )
  return { run, dialog }
}

function ConfirmationDialog({ onConfirmed, onClose }: { onConfirmed: () => void; onClose: () => void }) {
  const t = useText(accountPageText)
  const formatError = useErrorFormatter()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (password: string) => callEndpoint(accountEndpoints.confirm, { password }),
    onSuccess: onConfirmed,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(String(new FormData(event.currentTarget).get('password')))
  }
  return (
    <Dialog open title={t.confirmTitle} onClose={onClose} className="confirm">
      <form noValidate onSubmit={submit}>
        <p>{t.confirmHelp}</p>
        <Field
          label={t.password}
          name="password"
          type="password"
          autoComplete="current-password"
          autoFocus
          error={error && formatError(error)}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {t.confirmButton}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
