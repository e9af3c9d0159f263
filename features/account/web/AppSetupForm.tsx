import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ApiError, callEndpoint } from '#web/api.ts'
import { copyText } from '#web/clipboard.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { secondStepEndpoints } from '../contract.ts'
import { QrCode } from './QrCode.tsx'
import { secondStepText } from './second-step-text.ts'
import { useConfirmation } from './useConfirmation.tsx'

interface Props {
  /** In Base32, to type into the app. */
  secret: string
  /** An `otpauth:` URL. */
  address: string
  onDone: (recoveryCodes: readonly string[]) => void
  onCancel: () => void
}

export function AppSetupForm({ secret, address, onDone, onCancel }: Props) {
  const t = useText(secondStepText)
  const formatError = useErrorText()
  const { run, dialog } = useConfirmation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (code: string) => run(() => callEndpoint(secondStepEndpoints.confirm, { code })),
    onSuccess: ({ recovery_codes }) => onDone(recovery_codes),
    onError: (failure) => {
      if (hasStatus(failure, 401)) showLogInToast()
      focusFirst('[aria-invalid="true"]')
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(String(new FormData(event.currentTarget).get('code')))
  }
  const copy = () =>
    copyText(secret).then(
      () => showToast(t.copied, { key: 'secret' }),
      () => showToast(t.copyFailed, { key: 'secret', kind: 'error' }),
    )
  const wrong = error instanceof ApiError ? error.errors.code?.[0] : undefined
  const isOtherError = error && !wrong && !hasStatus(error, 401) && !(error instanceof CancelledError)
  return (
    <>
      <form className="second-step" noValidate onSubmit={submit}>
        <p>{t.scan}</p>
        <QrCode text={address} label={t.qrCode} />
        {/* A phone cannot scan the QR code on its own screen, so this link opens the app. */}
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
