import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ApiError, callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { secondStepEndpoints } from '../contract.ts'
import { toProof } from './second-step-proof.ts'
import { secondStepText } from './second-step-text.ts'
import { useConfirmation } from './useConfirmation.tsx'

interface Props {
  onDone: () => unknown
  onCancel: () => void
}

export function TurnOffForm({ onDone, onCancel }: Props) {
  const t = useText(secondStepText)
  const formatError = useErrorText()
  const { run, dialog } = useConfirmation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (typed: string) => run(() => callEndpoint(secondStepEndpoints.remove, toProof(typed))),
    onSuccess: onDone,
    onError: (failure) => {
      if (hasStatus(failure, 401)) showLogInToast()
      focusFirst('[aria-invalid="true"]')
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(String(new FormData(event.currentTarget).get('code')))
  }
  const errors = error instanceof ApiError ? error.errors : {}
  const wrong = (errors.code ?? errors.recovery_code)?.[0]
  const isOtherError = error && !wrong && !hasStatus(error, 401) && !(error instanceof CancelledError)
  return (
    <>
      <form className="second-step" noValidate onSubmit={submit}>
        <p>{t.turnOffHelp}</p>
        <Field
          label={t.codeOrRecoveryCode}
          name="code"
          autoComplete="one-time-code"
          autoFocus
          error={wrong}
        />
        {isOtherError && <Notice kind="error">{formatError(error)}</Notice>}
        <div className="form-actions">
          <Button onClick={onCancel}>{t.cancel}</Button>
          <Button kind="danger-filled" type="submit" pending={isPending}>
            {t.turnOff}
          </Button>
        </div>
      </form>
      {dialog}
    </>
  )
}
