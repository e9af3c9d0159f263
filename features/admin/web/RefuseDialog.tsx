import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { decisionEndpoints, MAX_REASON_LENGTH, type WaitingRequest } from '#features/registration/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextAreaField } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { SentenceWithName } from '#web/ui/UserText.tsx'
import { requestsText } from './join-request-text.ts'

interface Props {
  request: WaitingRequest
  /** Called after this admin or another one has decided. */
  onDecided: () => void
  onClose: () => void
}

export function RefuseDialog({ request: { id, name }, onDecided, onClose }: Props) {
  const t = useText(requestsText)
  const formatError = useErrorText()
  const { run, dialog } = useConfirmation()
  const [reason, setReason] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(decisionEndpoints.refuse, { id, reason })),
    onSuccess: () => {
      onClose()
      showToast(t.refused)
    },
    onError: (failure) => hasStatus(failure, 401) && showLogInToast(),
    onSettled: onDecided,
  })
  return (
    <Dialog
      open
      title={<SentenceWithName words={t.refuseTitle} name={name} />}
      onClose={onClose}
      className="confirm"
    >
      <p>{t.refuseHelp}</p>
      <TextAreaField
        label={t.reason}
        hint={t.reasonHint}
        dir="auto"
        maxLength={MAX_REASON_LENGTH}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {error && !(error instanceof CancelledError) && <Notice kind="error">{formatError(error)}</Notice>}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button kind="danger-filled" pending={isPending} onClick={() => mutate()}>
          {t.refuseVerb}
        </Button>
      </div>
      {dialog}
    </Dialog>
  )
}
