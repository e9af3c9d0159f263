import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { QrCode } from '#features/account/web/QrCode.tsx'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { SentenceWithName } from '#web/ui/UserText.tsx'
import { adminEndpoints, type ManagedAccount } from '../contract.ts'
import { adminText } from './text.ts'

interface ShownCode {
  name: string
  code: string
  link: string
}

/**
 * Returns a function that creates a code with which a member sets a new password, and the dialogs that this
 * needs. One dialog shows the code and what to tell the member. Another one asks for the admin's password if
 * the server wants a confirmation.
 */
export function useCreatePasswordResetCode() {
  const formatError = useErrorFormatter()
  const { run, dialog: confirmation } = useIdentityConfirmation()
  const [shown, setShown] = useState<ShownCode | null>(null)
  const { mutate } = useMutation({
    mutationFn: ({ id }: ManagedAccount) => run(() => callEndpoint(adminEndpoints.resetCode, { id })),
    onSuccess: (created, { name }) => setShown({ name, ...created }),
    onError: (error) => {
      if (error instanceof ActionCancelledError) return
      if (isErrorWithStatus(error, 401)) showLogInPromptToast()
      else showToast(formatError(error), { key: 'reset code', kind: 'error' })
    },
  })
  return {
    create: mutate,
    dialog: (
      <>
        {confirmation}
        {shown && <ResetCodeDialog {...shown} onClose={() => setShown(null)} />}
      </>
    ),
  }
}

function ResetCodeDialog({ name, code, link, onClose }: ShownCode & { onClose: () => void }) {
  const t = useText(adminText)
  return (
    <Dialog
      open
      title={<SentenceWithName words={t.resetCodeTitle} name={name} />}
      onClose={onClose}
      className="confirm"
    >
      <QrCode text={link} label={t.resetCodeQr} />
      <p className="reset-code" translate="no">
        <code>{code}</code>
      </p>
      <ol className="reset-code-steps">
        <li>{t.resetCodeTell}</li>
        <li>{t.resetCodeUse(`${location.host}/reset-password`)}</li>
      </ol>
      <p>{t.resetCodeEnd}</p>
      <div className="dialog-actions">
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </Dialog>
  )
}
