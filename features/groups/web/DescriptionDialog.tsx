import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { ApiError, callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextAreaField } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { descriptionEndpoints, type Group, MAX_DESCRIPTION } from '../contract.ts'
import { descriptionText } from './text.ts'

type Props = { group: Pick<Group, 'id' | 'description'>; onClose: () => void }

export function DescriptionDialog({ group, onClose }: Props) {
  const t = useText(descriptionText)
  const explain = useErrorText()
  const { run, dialog } = useConfirmation()
  const [description, setDescription] = useState(group.description ?? '')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(descriptionEndpoints.set, { id: group.id, description })),
    onSuccess: ({ message }) => {
      onClose()
      showToast(message)
    },
    onError: (error) => hasStatus(error, 401) && showLogInToast(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  const fieldError = error instanceof ApiError ? error.errors.description?.[0] : undefined
  return (
    <Dialog open title={t.title} onClose={onClose} className="confirm">
      <form noValidate onSubmit={submit}>
        <TextAreaField
          label={t.label}
          hint={t.hint(MAX_DESCRIPTION)}
          error={fieldError}
          name="description"
          dir="auto"
          rows={3}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        {error && !fieldError && !(error instanceof CancelledError) && (
          <Notice kind="error">{explain(error)}</Notice>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {t.save}
          </Button>
        </div>
      </form>
      {dialog}
    </Dialog>
  )
}
