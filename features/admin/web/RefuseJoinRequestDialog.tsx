import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import {
  type JoinRequestWaitingForAdmin,
  joinDecisionEndpoints,
  MAX_JOIN_REFUSAL_REASON_LENGTH,
} from '#features/registration/join-request-contract.ts'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextAreaField } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { SentenceWithName } from '#web/ui/UserText.tsx'
import { joinRequestListText } from './join-request-text.ts'

interface RefuseDialogProps {
  request: JoinRequestWaitingForAdmin
  /** The dialog calls this function after this admin or another one has decided about the request to join. */
  onDecided: () => void
  onClose: () => void
}

/** Renders a dialog in which an admin gives a reason and refuses a request to join. */
export function RefuseJoinRequestDialog({ request: { id, name }, onDecided, onClose }: RefuseDialogProps) {
  const t = useText(joinRequestListText)
  const formatError = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const [reason, setReason] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(joinDecisionEndpoints.refuse, { id, reason })),
    onSuccess: () => {
      onClose()
      showToast(t.refused)
    },
    onError: (failure) => isErrorWithStatus(failure, 401) && showLogInPromptToast(),
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
        maxLength={MAX_JOIN_REFUSAL_REASON_LENGTH}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {error && !(error instanceof ActionCancelledError) && (
        <Notice kind="error">{formatError(error)}</Notice>
      )}
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
