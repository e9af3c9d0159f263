import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ApiError, callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { secondStepEndpoints } from '../second-step-contract.ts'
import { toOneTimeOrRecoveryCodeInput } from './second-step-proof.ts'
import { secondStepText } from './second-step-text.ts'
import { useIdentityConfirmation } from './useIdentityConfirmation.tsx'

interface TurnOffProps {
  onDone: () => unknown
  onCancel: () => void
}

/**
 * Renders the form that asks for a code of the authenticator app or a recovery code, and turns the second
 * step off.
 */
export function TurnOffSecondStepForm({ onDone, onCancel }: TurnOffProps) {
  const t = useText(secondStepText)
  const formatError = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (typed: string) =>
      run(() => callEndpoint(secondStepEndpoints.remove, toOneTimeOrRecoveryCodeInput(typed))),
    onSuccess: onDone,
    onError: (failure) => {
      if (isErrorWithStatus(failure, 401)) showLogInPromptToast()
      focusFirstMatchOnceRendered('[aria-invalid="true"]')
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(String(new FormData(event.currentTarget).get('code')))
  }
  const errors = error instanceof ApiError ? error.errors : {}
  const wrong = (errors.code ?? errors.recovery_code)?.[0]
  const isOtherError =
    error && !wrong && !isErrorWithStatus(error, 401) && !(error instanceof ActionCancelledError)
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
