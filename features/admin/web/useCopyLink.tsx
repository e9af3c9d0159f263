import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#web/api.ts'
import { copyText } from '#web/clipboard.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { NameInSentence } from '#web/ui/Name.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { type Account, admin } from '../contract.ts'
import { adminText } from './text.ts'

interface Shown {
  name: string
  link: string
}

/** Fetches a verification link and copies it. Shows it in a dialog where the browser refuses to copy. */
export function useCopyLink() {
  const t = useText(adminText)
  const explain = useExplain()
  const [shown, setShown] = useState<Shown | null>(null)
  const { mutate } = useMutation({
    mutationFn: ({ id }: Account) => api(admin.verificationLink, { id }),
    onSuccess: async ({ link }, { name }) => {
      try {
        await copyText(link)
        toast(<NameInSentence words={t.linkCopied} name={name} />, { key: 'link' })
      } catch {
        setShown({ name, link })
      }
    },
    onError: (error, account) => {
      if (isHttpError(error, 401)) pleaseLogIn()
      else
        toast(explain(error), {
          key: 'link',
          kind: 'bad',
          action: { label: t.retry, run: () => mutate(account) },
        })
    },
  })
  return { copy: mutate, dialog: shown && <LinkDialog {...shown} onClose={() => setShown(null)} /> }
}

function LinkDialog({ name, link, onClose }: Shown & { onClose: () => void }) {
  const t = useText(adminText)
  return (
    <Dialog
      open
      title={<NameInSentence words={t.linkTitle} name={name} />}
      onClose={onClose}
      className="confirm"
    >
      <p>{t.linkHelp}</p>
      <Field label={t.link} readOnly value={link} onFocus={(event) => event.target.select()} />
      <div className="choose">
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </Dialog>
  )
}
