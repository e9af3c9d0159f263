import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ApiError, callEndpoint } from '#web/api.ts'
import { copyTextToClipboard } from '#web/clipboard.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { secondStepEndpoints } from '../second-step-contract.ts'
import { QrCode } from './QrCode.tsx'
import { secondStepText } from './second-step-text.ts'
import { useIdentityConfirmation } from './useIdentityConfirmation.tsx'

interface SetupProps {
  /** The new secret of the authenticator app, in Base32, which the member can type into the app. */
  secret: string
  /** The `otpauth:` URL with the secret, which the QR code contains. */
  address: string
  onDone: (recoveryCodes: readonly string[]) => void
  onCancel: () => void
}

/**
 * Renders the new secret of an authenticator app as a QR code and as text, and a form that turns the second
 * step on with a code of the app.
 */
export function AuthenticatorAppSetupForm({ secret, address, onDone, onCancel }: SetupProps) {
  const t = useText(secondStepText)
  const formatError = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (code: string) => run(() => callEndpoint(secondStepEndpoints.confirm, { code })),
    onSuccess: ({ recovery_codes }) => onDone(recovery_codes),
    onError: (failure) => {
      if (isErrorWithStatus(failure, 401)) showLogInPromptToast()
      focusFirstMatchOnceRendered('[aria-invalid="true"]')
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(String(new FormData(event.currentTarget).get('code')))
  }
  const copy = () =>
    copyTextToClipboard(secret).then(
      () => showToast(t.copied, { key: 'secret' }),
      () => showToast(t.copyFailed, { key: 'secret', kind: 'error' }),
    )
  const wrong = error instanceof ApiError ? error.errors.code?.[0] : undefined
  const isOtherError =
    error && !wrong && !isErrorWithStatus(error, 401) && !(error instanceof ActionCancelledError)
  return (
    <>
      <form className="second-step" noValidate onSubmit={submit}>
        <p>{t.scan}</p>
        <QrCode text={address} label={t.qrCode} />
        {/* This link opens the authenticator app, because a phone cannot scan the QR code on its own
            screen. */}
        <p className="second-step-link">
          <a className="link" href={address}>
            {t.openApp}
          </a>
        </p>
        <p>{t.typeInstead}</p>
        <p className="second-step-secret">
          <code translate="no">{secret.match(/.{1,4}/g)!.join(' ')}</code>
          <Button small onClick={copy}>
            {t.copySecret}
          </Button>
        </p>
        <Field
          label={t.codeOfApp}
          hint={t.codeHint}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          error={wrong}
        />
        {isOtherError && <Notice kind="error">{formatError(error)}</Notice>}
        <div className="form-actions">
          <Button onClick={onCancel}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {t.turnOn}
          </Button>
        </div>
      </form>
      {dialog}
    </>
  )
}
