import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { type ListedPasskey, passkeyEndpoints } from '../contract.ts'
import { passkeyText } from './passkey-text.ts'

export function RenameDialog({ passkey, onClose }: { passkey: ListedPasskey; onClose: () => void }) {
  const t = useText(passkeyText)
  const formatError = useErrorText()
  const client = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (name: string) => callEndpoint(passkeyEndpoints.rename, { id: passkey.id, name }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [passkeyEndpoints.list.path] })
      onClose()
    },
    onError: () => focusFirst('[aria-invalid="true"]'),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(String(new FormData(event.currentTarget).get('name')))
  }
  return (
    <Dialog open title={t.renameTitle} onClose={onClose} className="confirm">
      <form noValidate onSubmit={submit}>
        <Field
          label={t.name}
          name="name"
          dir="auto"
          autoComplete="off"
          autoFocus
          defaultValue={passkey.name}
          error={error && formatError(error)}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
