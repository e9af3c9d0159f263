import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { ApiError, callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { groupEndpoints } from '../contract.ts'

interface RenameFormProps {
  group: { id: number; name: string }
  t: { groupName: string; cancel: string }
  submitLabel: string
  onRenamed: (name: string, message: string) => void
  onClose: () => void
}

export function RenameForm({ group, t, submitLabel, onRenamed, onClose }: RenameFormProps) {
  const explain = useErrorText()
  const { run, dialog } = useConfirmation()
  const [name, setName] = useState(group.name)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (name: string) => run(() => callEndpoint(groupEndpoints.rename, { id: group.id, name })),
    onSuccess: ({ message }, name) => {
      onClose()
      onRenamed(name.trim().replace(/\s+/g, ' '), message)
    },
    onError: (error) => hasStatus(error, 401) && showLogInToast(),
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
        {error && !nameError && !(error instanceof CancelledError) && (
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
