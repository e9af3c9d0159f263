import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { copyTextToClipboard } from '#web/clipboard.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { SentenceWithName } from '#web/ui/UserText.tsx'
import { adminEndpoints, type ManagedAccount } from '../contract.ts'
import { adminText } from './text.ts'

interface ShownLink {
  name: string
  link: string
}

/**
 * Returns a function that fetches a member's email verification link and copies it, and the dialogs that this
 * needs. A dialog shows the link if the browser refuses to copy. Another one asks for the admin's password if
 * the server wants a confirmation.
 */
export function useCopyEmailVerificationLink() {
  const t = useText(adminText)
  const explain = useErrorFormatter()
  const { run, dialog: confirmation } = useIdentityConfirmation()
  const [shown, setShown] = useState<ShownLink | null>(null)
  const { mutate } = useMutation({
    mutationFn: ({ id }: ManagedAccount) => run(() => callEndpoint(adminEndpoints.verificationLink, { id })),
    onSuccess: async ({ link }, { name }) => {
      try {
        await copyTextToClipboard(link)
        showToast(<SentenceWithName words={t.linkCopied} name={name} />, { key: 'link' })
      } catch {
        setShown({ name, link })
      }
    },
    onError: (error, account) => {
      if (error instanceof ActionCancelledError) return
      if (isErrorWithStatus(error, 401)) showLogInPromptToast()
      else
        showToast(explain(error), {
          key: 'link',
          kind: 'error',
          action: { label: t.retry, run: () => mutate(account) },
        })
    },
  })
  return {
    copy: mutate,
    dialog: (
      <>
        {confirmation}
        {shown && <LinkDialog {...shown} onClose={() => setShown(null)} />}
      </>
    ),
  }
}

function LinkDialog({ name, link, onClose }: ShownLink & { onClose: () => void }) {
  const t = useText(adminText)
  return (
    <Dialog
      open
      title={<SentenceWithName words={t.linkTitle} name={name} />}
      onClose={onClose}
      className="confirm"
    >
      <p>{t.linkHelp}</p>
      <Field label={t.link} readOnly value={link} onFocus={(event) => event.target.select()} />
      <div className="dialog-actions">
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </Dialog>
  )
}
