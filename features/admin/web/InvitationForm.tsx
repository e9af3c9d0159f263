import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import {
  type CreatedInvitation,
  invitationEndpoints,
  MAX_INVITATION_USES,
} from '#features/registration/invitation-contract.ts'
import { ApiError, callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { focusAfterRender } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { invitationText } from './invitation-text.ts'

const dayChoices = [1, 7, 30, 90]

const create = (form: FormData) =>
  callEndpoint(invitationEndpoints.create, {
    note: String(form.get('note')),
    max_uses: String(form.get('max_uses')),
    days: String(form.get('days')),
  })

/** The form that creates an invitation. */
export function InvitationForm({ onCreated }: { onCreated: (created: CreatedInvitation) => void }) {
  const t = useText(invitationText)
  const explain = useErrorFormatter()
  const client = useQueryClient()
  const days = useId()
  const { mutate, error, isPending } = useMutation({
    mutationFn: create,
    onSuccess: (created) => {
      void client.invalidateQueries({ queryKey: [invitationEndpoints.list.path] })
      onCreated(created)
    },
    onError: (failure) => {
      if (isErrorWithStatus(failure, 401)) showLogInPromptToast()
      focusAfterRender('.invitation-form [aria-invalid="true"]')
    },
  })
  const wrong = error instanceof ApiError ? error.errors : {}
  const general = error && !Object.keys(wrong).length && explain(error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(new FormData(event.currentTarget))
  }
  return (
    <form className="card invitation-form" noValidate onSubmit={submit}>
      <h2>{t.create}</h2>
      <p className="text-soft">{t.createHelp}</p>
      <Field
        label={t.note}
        hint={t.noteHint}
        error={wrong.note?.[0]}
        name="note"
        dir="auto"
        autoComplete="off"
      />
      <div className="invitation-numbers">
        <Field
          label={t.maxUses}
          error={wrong.max_uses?.[0]}
          name="max_uses"
          type="number"
          inputMode="numeric"
          min={1}
          max={MAX_INVITATION_USES}
          defaultValue={10}
        />
        <div className="field">
          <label htmlFor={days}>{t.validFor}</label>
          <select className="input" id={days} name="days" defaultValue={7}>
            {dayChoices.map((n) => (
              <option key={n} value={n}>
                {t.days(n)}
              </option>
            ))}
          </select>
        </div>
      </div>
      {general && <Notice kind="error">{general}</Notice>}
      <div className="form-actions">
        <Button kind="primary" type="submit" pending={isPending}>
          {t.createButton}
        </Button>
      </div>
    </form>
  )
}
