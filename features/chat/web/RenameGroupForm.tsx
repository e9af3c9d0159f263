import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { ApiError, callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { groupEndpoints } from '../group-contract.ts'

interface RenameFormProps {
  group: { id: number; name: string }
  t: { groupName: string; cancel: string }
  submitLabel: string
  onRenamed: (name: string, message: string) => void
  onClose: () => void
}

/** Renders the form to rename a group, which is the content of a dialog. */
export function RenameGroupForm({ group, t, submitLabel, onRenamed, onClose }: RenameFormProps) {
  const explain = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const [name, setName] = useState(group.name)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (name: string) => run(() => callEndpoint(groupEndpoints.rename, { id: group.id, name })),
    onSuccess: ({ message }, name) => {
      onClose()
      onRenamed(name.trim().replace(/\s+/g, ' '), message)
    },
    onError: (error) => isErrorWithStatus(error, 401) && showLogInPromptToast(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate(name)
  }
  const nameError = error instanceof ApiError ? error.errors.name?.[0] : undefined
  return (
    <>
      <form noValidate onSubmit={submit}>
        <Field
          label={t.groupName}
          error={nameError}
          name="name"
          dir="auto"
          autoComplete="off"
          value={name}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setName(event.target.value)}
        />
        {error && !nameError && !(error instanceof ActionCancelledError) && (
          <Notice kind="error">{explain(error)}</Notice>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {submitLabel}
          </Button>
        </div>
      </form>
      {dialog}
    </>
  )
}
