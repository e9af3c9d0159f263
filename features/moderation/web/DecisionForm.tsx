import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { ApiError, callEndpoint } from '#web/api.ts'
import { hasStatus, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Field, TextAreaField } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import {
  type DecisionAction,
  MAX_NOTE_LENGTH,
  type ModerationCase,
  moderationEndpoints,
  type ReportKind,
} from '../contract.ts'
import { moderationText } from './text.ts'

/** Replies cannot be hidden (see docs/decisions, number 0075). */
const actionsByKind: Record<ReportKind, DecisionAction[]> = {
  post: ['hide', 'delete'],
  reply: ['delete'],
  message: ['hide', 'delete'],
  member: [],
  public_message: [],
}

function listPossibleActions({ kind, closed_at, outcome }: ModerationCase): DecisionAction[] {
  if (closed_at !== null) return outcome === 'hide' ? ['restore'] : []
  return ['dismiss', ...actionsByKind[kind], 'warn', 'suspend']
}

interface Props {
  data: ModerationCase
  onDecided: (changed: ModerationCase) => void
  /** Called if another moderator has decided meanwhile. */
  onConflict: () => void
}

/** Shows nothing if no decision is possible. */
export function DecisionForm({ data, onDecided, onConflict }: Props) {
  const t = useText(moderationText)
  const explain = useErrorText()
  const select = useId()
  const { run, dialog } = useConfirmation()
  const actions = listPossibleActions(data)
  const [chosen, setChosen] = useState<DecisionAction | null>(null)
  const action = chosen && actions.includes(chosen) ? chosen : actions[0]
  const { mutate, error, isPending } = useMutation({
    mutationFn: (form: FormData) =>
      run(() =>
        callEndpoint(moderationEndpoints.decide, {
          id: data.id,
          action: action!,
          note: String(form.get('note')),
          ...(action === 'suspend' && { days: Number(form.get('days')) }),
        }),
      ),
    onSuccess: (changed) => {
      showToast(t.done)
      onDecided(changed)
    },
    onError: (failure) => hasStatus(failure, 409) && onConflict(),
  })
  if (!action) return null
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(new FormData(event.currentTarget))
  }
  const wrong = error instanceof ApiError ? error.errors : {}
  const isGeneral = error && !(error instanceof CancelledError) && !wrong.note && !wrong.days
  return (
    <form className="moderation-decision" noValidate onSubmit={submit}>
      <div className="field">
        <label htmlFor={select}>{t.decision}</label>
        <select
          className="input"
          id={select}
          value={action}
          onChange={(event) => setChosen(event.target.value as DecisionAction)}
        >
          {actions.map((one) => (
            <option key={one} value={one}>
              {t.actions[one]}
            </option>
          ))}
        </select>
      </div>
      {action === 'suspend' && (
        <Field
          label={t.days}
          error={wrong.days?.[0]}
          name="days"
          type="number"
          inputMode="numeric"
          min={1}
          max={365}
          defaultValue={7}
        />
      )}
      <TextAreaField
        label={t.note}
        hint={data.chat === 'private' ? `${t.noteHint} ${t.privateHint}` : t.noteHint}
        error={wrong.note?.[0]}
        name="note"
        dir="auto"
        maxLength={MAX_NOTE_LENGTH}
      />
      {isGeneral && <Notice kind="error">{explain(error)}</Notice>}
      <div className="form-actions">
        <Button kind="primary" type="submit" pending={isPending}>
          {t.decide}
        </Button>
      </div>
      {dialog}
    </form>
  )
}
