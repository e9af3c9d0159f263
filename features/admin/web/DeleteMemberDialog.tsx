import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeepOrDeleteMessages } from '#features/account/deletion-contract.ts'
import { KeepOrDeleteMessagesField } from '#features/account/web/KeepOrDeleteMessagesField.tsx'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SentenceWithName } from '#web/ui/UserText.tsx'
import { adminEndpoints, type ManagedAccount } from '../contract.ts'
import { adminText } from './text.ts'

interface DeleteMemberDialogProps {
  account: ManagedAccount
  onDone: (account: ManagedAccount) => void
  onClose: () => void
}

/**
 * Renders a dialog in which an admin requests the deletion of a member's account. The dialog says what will
 * be deleted, and asks what happens to the member's messages.
 */
export function DeleteMemberDialog({ account, onDone, onClose }: DeleteMemberDialogProps) {
  const t = useText(adminText)
  const formatError = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const [messages, setMessages] = useState<KeepOrDeleteMessages>('keep')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(adminEndpoints.remove, { id: account.id, messages })),
    onSuccess: (changed) => {
      onClose()
      onDone(changed)
    },
    onError: (failure) => isErrorWithStatus(failure, 401) && showLogInPromptToast(),
  })
  return (
    <Dialog
      open
      title={<SentenceWithName words={t.remove.title} name={account.name} />}
      onClose={onClose}
      className="confirm"
    >
      <p>{t.remove.help}</p>
      <KeepOrDeleteMessagesField value={messages} onChange={setMessages} />
      {error && !(error instanceof ActionCancelledError) && (
        <Notice kind="error">{formatError(error)}</Notice>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button kind="danger-filled" pending={isPending} onClick={() => mutate()}>
          {t.remove.verb}
        </Button>
      </div>
      {dialog}
    </Dialog>
  )
}
