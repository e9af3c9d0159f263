import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import type { CreatedInvitation } from '#features/registration/contract.ts'
import { ApiError } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import type { InvitationSource } from './invitation-sources.ts'
import { invitationText } from './joining-text.ts'
import { useMyGroups } from './useMyGroups.ts'

interface Props {
  source: InvitationSource
  onCreated: (created: CreatedInvitation) => void
}

export function InvitationForm({ source, onCreated }: Props) {
  const t = useText(invitationText)
  const explain = useErrorText()
  const client = useQueryClient()
  const days = useId()
  const { run, dialog } = useConfirmation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (form: FormData) => run(() => source.create(form)),
    onSuccess: (created) => {
      void client.invalidateQueries({ queryKey: source.queryKey })
      onCreated(created)
    },
    onError: (failure) => {
      if (hasStatus(failure, 401)) showLogInToast()
      focusFirst('.invitation-form [aria-invalid="true"]')
    },
  })
  const wrong = error instanceof ApiError ? error.errors : {}
  const isCancelled = error instanceof CancelledError
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

/** Shows nothing if the admin is in no group. */
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
