import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { accountEndpoints } from '../contract.ts'
import { passkeyEndpoints } from '../passkey-contract.ts'
import { secondStepEndpoints } from '../second-step-contract.ts'
import { findPasskeyUnavailableReason, logInOrConfirmWithPasskeyInBrowser } from './passkey-client.ts'
import { passkeyText, usePasskeyErrorFormatter } from './passkey-text.ts'
import { toOneTimeOrRecoveryCodeInput } from './second-step-proof.ts'
import { secondStepText } from './second-step-text.ts'
import { accountPageText } from './text.ts'

const passkeysQuery = {
  queryKey: [passkeyEndpoints.list.path],
  queryFn: () => callEndpoint(passkeyEndpoints.list, {}),
}

const secondStepQuery = {
  queryKey: [secondStepEndpoints.state.path],
  queryFn: () => callEndpoint(secondStepEndpoints.state, {}),
}

interface Question {
  /** Whether the member has a passkey that works in this browser and at this address. */
  canUsePasskey: boolean
  /** Whether the member has to enter a code of the second step besides the password. */
  hasSecondStep: boolean
  resolve: () => void
  reject: (reason: ActionCancelledError) => void
}

/**
 * Returns the function `run` for calls to the server that need a confirmed identity, and the dialog that
 * `run` opens. If the server responds 423, because the member has not confirmed their identity in the last
 * ten minutes, `run` asks in the dialog for the password (and a code, if the second step is on) or for a
 * passkey, and then repeats the call. If the member closes the dialog, `run` throws ActionCancelledError, for
 * which callers show no message.
 */
export function useIdentityConfirmation() {
  const client = useQueryClient()
  const [question, setQuestion] = useState<Question | null>(null)
  const run = async <T,>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call()
    } catch (error) {
      if (!isErrorWithStatus(error, 423)) throw error
    }
    // Loads the passkeys before the dialog opens: if the passkey button appeared later, it would move the
    // input field under the pointer.
    const canUsePasskey = await client.ensureQueryData(passkeysQuery).then(
      ({ origin, passkeys }) => passkeys.length > 0 && !findPasskeyUnavailableReason(origin),
      () => false,
    )
    const hasSecondStep = await client.fetchQuery(secondStepQuery).then(
      ({ confirmed_at }) => confirmed_at !== null,
      () => false,
    )
    await new Promise<void>((resolve, reject) =>
      setQuestion({ canUsePasskey, hasSecondStep, resolve, reject }),
    )
    return call()
  }
  const answer = (reply: (question: Question) => void) => {
    setQuestion(null)
    if (question) reply(question)
  }
  const dialog = question && (
    <ConfirmationDialog
      canUsePasskey={question.canUsePasskey}
      hasSecondStep={question.hasSecondStep}
      onConfirmed={() => answer(({ resolve }) => resolve())}
      onClose={() => answer(({ reject }) => reject(new ActionCancelledError()))}
    />
  )
  return { run, dialog }
}

interface DialogProps extends Pick<Question, 'canUsePasskey' | 'hasSecondStep'> {
  onConfirmed: () => void
  onClose: () => void
}

/** Reads the password, and the typed one-time code or recovery code, from the confirmation form. */
function readProof(form: HTMLFormElement) {
  const data = new FormData(form)
  return {
    password: String(data.get('password')),
    ...toOneTimeOrRecoveryCodeInput(String(data.get('code') ?? '')),
  }
}

function ConfirmationDialog({ canUsePasskey, hasSecondStep, onConfirmed, onClose }: DialogProps) {
  const t = useText(accountPageText)
  const { codeOrRecoveryCode } = useText(secondStepText)
  const formatError = useErrorFormatter()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (form: HTMLFormElement) => callEndpoint(accountEndpoints.confirm, readProof(form)),
    onSuccess: onConfirmed,
    onError: () => focusFirstMatchOnceRendered('[aria-invalid="true"]'),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(event.currentTarget)
  }
  const errors = error instanceof ApiError ? error.errors : {}
  const wrongCode = (errors.code ?? errors.recovery_code)?.[0]
  return (
    <Dialog open title={t.confirmTitle} onClose={onClose} className="confirm">
      <form className="confirmation" noValidate onSubmit={submit}>
        <p className="text-soft">{canUsePasskey ? t.confirmHelpWithPasskey : t.confirmHelp}</p>
        {canUsePasskey && <PasskeyConfirmation onConfirmed={onConfirmed} />}
        <Field
          label={t.password}
          name="password"
          type="password"
          autoComplete="current-password"
          autoFocus
          error={wrongCode ? undefined : error && formatError(error)}
        />
        {(hasSecondStep || wrongCode) && (
          <Field
            label={codeOrRecoveryCode}
            name="code"
            autoCapitalize="none"
            autoComplete="one-time-code"
            error={wrongCode}
          />
        )}
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

/** Renders the button with which the member confirms their identity by a passkey. */
function PasskeyConfirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const t = useText(passkeyText)
  const formatError = usePasskeyErrorFormatter()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => logInOrConfirmWithPasskeyInBrowser('confirm'),
    onSuccess: onConfirmed,
  })
  return (
    <div className="passkey-confirmation">
      <Button fullWidth pending={isPending} onClick={() => mutate()}>
        {t.confirm}
      </Button>
      {error && <Notice kind="error">{formatError(error, 'use')}</Notice>}
    </div>
  )
}
