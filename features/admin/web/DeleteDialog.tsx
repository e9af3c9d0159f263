import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { MessagesChoice } from '#features/account/contract.ts'
import { MessagesField } from '#features/account/web/MessagesField.tsx'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SentenceWithName } from '#web/ui/UserText.tsx'
import { adminEndpoints, type ManagedAccount } from '../contract.ts'
import { adminText } from './text.ts'

interface Props {
  account: ManagedAccount
  onDone: (account: ManagedAccount) => void
  onClose: () => void
}

export function DeleteDialog({ account, onDone, onClose }: Props) {
  const t = useText(adminText)
  const formatError = useErrorText()
  const { run, dialog } = useConfirmation()
  const [messages, setMessages] = useState<MessagesChoice>('keep')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(adminEndpoints.remove, { id: account.id, messages })),
    onSuccess: (changed) => {
      onClose()
      onDone(changed)
    },
    onError: (failure) => hasStatus(failure, 401) && showLogInToast(),
  })
  return (
    <Dialog
      open
      title={<SentenceWithName words={t.remove.title} name={account.name} />}
      onClose={onClose}
      className="confirm"
    >
      <p>{t.remove.help}</p>
      <MessagesField value={messages} onChange={setMessages} />
      {error && !(error instanceof CancelledError) && <Notice kind="error">{formatError(error)}</Notice>}
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
