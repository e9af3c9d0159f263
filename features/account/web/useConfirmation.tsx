import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, callEndpoint } from '#web/api.ts'
import { hasStatus, useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { accountEndpoints, passkeyEndpoints, secondStepEndpoints } from '../contract.ts'
import { findPasskeyProblem, signWithPasskey } from './passkey-client.ts'
import { passkeyText, usePasskeyErrors } from './passkey-text.ts'
import { toProof } from './second-step-proof.ts'
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
  /** In this browser and at this address. */
  canUsePasskey: boolean
  hasSecondStep: boolean
  resolve: () => void
  reject: (reason: CancelledError) => void
}

/**
 * `run` makes calls that need a confirmed identity. For a 423, because the last confirmation is over ten
 * minutes old, it asks in the dialog for the password (and a code) or a passkey, and repeats the call. If the
 * member closes the dialog, it throws CancelledError, for which callers show no message.
 */
export function useConfirmation() {
  const client = useQueryClient()
  const [question, setQuestion] = useState<Question | null>(null)
  const run = async <T,>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call()
    } catch (error) {
      if (!hasStatus(error, 423)) throw error
    }
    // Before the dialog opens: a button that appears later would move the input field under the pointer.
    const canUsePasskey = await client.ensureQueryData(passkeysQuery).then(
      ({ origin, passkeys }) => passkeys.length > 0 && !findPasskeyProblem(origin),
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
      onClose={() => answer(({ reject }) => reject(new CancelledError()))}
    />
  )
  return { run, dialog }
}

interface Props extends Pick<Question, 'canUsePasskey' | 'hasSecondStep'> {
  onConfirmed: () => void
  onClose: () => void
}

function readProof(form: HTMLFormElement) {
  const data = new FormData(form)
  return {
    password: String(data.get('password')),
    ...toProof(String(data.get('code') ?? '')),
  }
}

function ConfirmationDialog({ canUsePasskey, hasSecondStep, onConfirmed, onClose }: Props) {
  const t = useText(accountPageText)
  const { codeOrRecoveryCode } = useText(secondStepText)
  const formatError = useErrorText()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (form: HTMLFormElement) => callEndpoint(accountEndpoints.confirm, readProof(form)),
    onSuccess: onConfirmed,
    onError: () => focusFirst('[aria-invalid="true"]'),
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

function PasskeyConfirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const t = useText(passkeyText)
  const formatError = usePasskeyErrors()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => signWithPasskey('confirm'),
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
