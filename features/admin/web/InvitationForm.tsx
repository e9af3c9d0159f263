import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import type { CreatedInvitationWithCodeAndLink } from '#features/registration/invitation-contract.ts'
import { ApiError } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import type { InvitationPageFunctionsAndLimits } from './invitation-sources.ts'
import { invitationText } from './invitation-text.ts'
import { useMyGroups } from './useMyGroups.ts'

interface FormProps {
  source: InvitationPageFunctionsAndLimits
  onCreated: (created: CreatedInvitationWithCodeAndLink) => void
}

/** Renders the form that creates an invitation. */
export function InvitationForm({ source, onCreated }: FormProps) {
  const t = useText(invitationText)
  const explain = useErrorFormatter()
  const client = useQueryClient()
  const days = useId()
  const { run, dialog } = useIdentityConfirmation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (form: FormData) => run(() => source.create(form)),
    onSuccess: (created) => {
      void client.invalidateQueries({ queryKey: source.queryKey })
      onCreated(created)
    },
    onError: (failure) => {
      if (isErrorWithStatus(failure, 401)) showLogInPromptToast()
      focusFirstMatchOnceRendered('.invitation-form [aria-invalid="true"]')
    },
  })
  const wrong = error instanceof ApiError ? error.errors : {}
  const isCancelled = error instanceof ActionCancelledError
  const general = error && !isCancelled && !Object.keys(wrong).length && explain(error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(new FormData(event.currentTarget))
  }
  return (
    <>
      <form className="card invitation-form" noValidate onSubmit={submit}>
        <h2>{t.create}</h2>
        <p className="text-soft">{source.isForAdmins ? t.createHelp : t.createOwnHelp}</p>
        <Field
          label={t.note}
          hint={source.isForAdmins ? t.noteHint : t.ownNoteHint}
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
            max={source.maxUses}
            defaultValue={source.isForAdmins ? 10 : 1}
          />
          <div className="field">
            <label htmlFor={days}>{t.validFor}</label>
            <select className="input" id={days} name="days" defaultValue={7}>
              {source.dayChoices.map((n) => (
                <option key={n} value={n}>
                  {t.days(n)}
                </option>
              ))}
            </select>
          </div>
        </div>
        {source.isForAdmins && <GroupField />}
        {general && <Notice kind="error">{general}</Notice>}
        <div className="form-actions">
          <Button kind="primary" type="submit" pending={isPending}>
            {t.createButton}
          </Button>
        </div>
      </form>
      {dialog}
    </>
  )
}

/**
 * Renders the field in which the admin chooses the group that new members are added to. Shows nothing if the
 * admin is in no group.
 */
function GroupField() {
  const t = useText(invitationText)
  const id = useId()
  const groups = useMyGroups()
  if (!groups.length) return null
  return (
    <div className="field">
      <label htmlFor={id}>{t.group}</label>
      <select className="input" id={id} name="group_id" defaultValue="">
        <option value="">{t.noGroup}</option>
        {groups.map((group) => (
          <option key={group.id} value={group.id}>
            {group.name}
          </option>
        ))}
      </select>
      <span className="hint">{t.groupHint}</span>
    </div>
  )
}
