import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { copyText } from '#web/clipboard.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
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

/** Dialogs show the link if the browser refuses to copy, and ask for the password if the server wants it. */
export function useCopyEmailLink() {
  const t = useText(adminText)
  const explain = useErrorText()
  const { run, dialog: confirmation } = useConfirmation()
  const [shown, setShown] = useState<ShownLink | null>(null)
  const { mutate } = useMutation({
    mutationFn: ({ id }: ManagedAccount) => run(() => callEndpoint(adminEndpoints.verificationLink, { id })),
    onSuccess: async ({ link }, { name }) => {
      try {
        await copyText(link)
        showToast(<SentenceWithName words={t.linkCopied} name={name} />, { key: 'link' })
      } catch {
        setShown({ name, link })
      }
    },
    onError: (error, account) => {
      if (error instanceof CancelledError) return
      if (hasStatus(error, 401)) showLogInToast()
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
