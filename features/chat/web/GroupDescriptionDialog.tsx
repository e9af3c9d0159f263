import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { ApiError, callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextAreaField } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import type { Group } from '../group-contract.ts'
import { groupDescriptionEndpoints, MAX_GROUP_DESCRIPTION_LENGTH } from '../group-manager-contract.ts'
import { groupDescriptionDialogText } from './group-description-text.ts'

type GroupDescriptionDialogProps = { group: Pick<Group, 'id' | 'description'>; onClose: () => void }

/** Renders the dialog in which a manager of a group writes what the group is for. */
export function GroupDescriptionDialog({ group, onClose }: GroupDescriptionDialogProps) {
  const t = useText(groupDescriptionDialogText)
  const explain = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const [description, setDescription] = useState(group.description ?? '')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(groupDescriptionEndpoints.set, { id: group.id, description })),
    onSuccess: ({ message }) => {
      onClose()
      showToast(message)
    },
    onError: (error) => isErrorWithStatus(error, 401) && showLogInPromptToast(),
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
          hint={t.hint(MAX_GROUP_DESCRIPTION_LENGTH)}
          error={fieldError}
          name="description"
          dir="auto"
          rows={3}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        {error && !fieldError && !(error instanceof ActionCancelledError) && (
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
