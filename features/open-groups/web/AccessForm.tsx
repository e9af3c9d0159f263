import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { accessEndpoints, type GroupDetails } from '../contract.ts'
import { detailsKey, listKey } from './queries.ts'
import { accessText } from './text.ts'

/** For who manages the group. */
export function AccessForm({ group }: { group: GroupDetails }) {
  const t = useText(accessText)
  const explain = useErrorText()
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
  const [access, setAccess] = useState(group.access)
  const [reading, setReading] = useState(group.reading ?? '')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(accessEndpoints.set, { id: group.id, access, reading })),
    onSuccess: ({ message }) => {
      for (const queryKey of [listKey, detailsKey]) void client.invalidateQueries({ queryKey })
      showToast(message)
    },
    onError: (failure) => hasStatus(failure, 401) && showLogInToast(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  return (
    <section className="card">
      <h2>{t.title}</h2>
      <form className="stack" onSubmit={submit}>
        <RadioGroup
          label={t.label}
          choices={(['closed', 'ask', 'open'] as const).map((value) => ({
            ...{ value, label: t[value], help: t[`${value}Help`] },
          }))}
          inputProps={(value) => ({ checked: value === access, onChange: () => setAccess(value) })}
        />
        {access !== 'closed' && (
          <>
            <p className="text-soft">{t.shown}</p>
            <Field
              label={t.reading}
              hint={t.readingHelp}
              value={reading}
              maxLength={255}
              autoComplete="off"
              onChange={({ target }) => setReading(target.value)}
            />
          </>
        )}
        {error && !(error instanceof CancelledError) && <Notice kind="error">{explain(error)}</Notice>}
        <div className="form-actions">
          <Button kind="primary" type="submit" pending={isPending}>
            {t.save}
          </Button>
        </div>
      </form>
      {dialog}
    </section>
  )
}
