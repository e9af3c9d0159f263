import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { QrCode } from '#features/account/web/QrCode.tsx'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
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

/** Dialogs show the code and what to tell the member, and ask for the password if the server wants it. */
export function useResetCode() {
  const formatError = useErrorText()
  const { run, dialog: confirmation } = useConfirmation()
  const [shown, setShown] = useState<ShownCode | null>(null)
  const { mutate } = useMutation({
    mutationFn: ({ id }: ManagedAccount) => run(() => callEndpoint(adminEndpoints.resetCode, { id })),
    onSuccess: (created, { name }) => setShown({ name, ...created }),
    onError: (error) => {
      if (error instanceof CancelledError) return
      if (hasStatus(error, 401)) showLogInToast()
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
