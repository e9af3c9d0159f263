import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { groups } from '../contract.ts'

interface RenameFormProps {
  group: { id: number; name: string }
  t: { groupName: string; cancel: string }
  /** The label of the button. */
  verb: string
  className?: string
  onRenamed: (name: string, message: string) => void
  onClose: () => void
}

/** Renames a group, inside of a dialog. */
export function RenameForm({ group, t, verb, className, onRenamed, onClose }: RenameFormProps) {
  const explain = useExplain()
  const [name, setName] = useState(group.name)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (name: string) => api(groups.rename, { id: group.id, name }),
    onSuccess: ({ message }, name) => {
      onClose()
      onRenamed(name.trim().replace(/\s+/g, ' '), message)
    },
    onError: (error) => isHttpError(error, 401) && pleaseLogIn(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate(name)
  }
  const wrong = error instanceof ApiError ? error.errors.name?.[0] : undefined
  return (
    <form className={className} noValidate onSubmit={submit}>
      <Field
        label={t.groupName}
        error={wrong}
        name="name"
        dir="auto"
        autoComplete="off"
        value={name}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setName(event.target.value)}
      />
      {error && !wrong && <Notice kind="bad">{explain(error)}</Notice>}
      <div className="choose">
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button kind="primary" type="submit" pending={isPending}>
          {verb}
        </Button>
      </div>
    </form>
  )
}
