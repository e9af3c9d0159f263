import './moderation.css'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextAreaField } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { MAX_NOTE_LENGTH, type ReportReason, reportReasons } from '../contract.ts'
import { reportText } from './text.ts'

interface Props {
  className?: string
  /** Says what the moderators get, besides what is said for every report. */
  help?: ReactNode
  onSend: (report: { reason: ReportReason; note: string }) => Promise<{ message: string }>
  /** Beside the button that sends. */
  otherActions?: ReactNode
  /** Replaces the form once the report is sent. */
  renderSent: (message: string) => ReactNode
}

export function ReportForm({ className = '', help, onSend, otherActions, renderSent }: Props) {
  const t = useText(reportText)
  const explain = useErrorText()
  const [reason, setReason] = useState<ReportReason | null>(null)
  const [note, setNote] = useState('')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (chosen: ReportReason) => onSend({ reason: chosen, note }),
    onError: (failure) => hasStatus(failure, 401) && showLogInToast(),
  })
  if (data) return renderSent(data.message)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (reason && !isPending) mutate(reason)
  }
  const wrong = error instanceof ApiError ? error.errors : {}
  return (
    <form className={`report-form ${className}`.trim()} onSubmit={submit}>
      <p className="text-soft">{t.help}</p>
      {help && <p className="text-soft">{help}</p>}
      <RadioGroup
        label={t.reason}
        choices={reportReasons.map((value) => ({ value, label: t.reasons[value] }))}
        inputProps={(value) => ({
          required: true,
          checked: reason === value,
          onChange: () => setReason(value),
        })}
      />
      <TextAreaField
        label={t.note}
        error={wrong.note?.[0]}
        name="note"
        dir="auto"
        maxLength={MAX_NOTE_LENGTH}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {error && !wrong.note && <Notice kind="error">{explain(error)}</Notice>}
      <div className="form-actions">
        {otherActions}
        <Button kind="primary" type="submit" pending={isPending}>
          {t.send}
        </Button>
      </div>
    </form>
  )
}
