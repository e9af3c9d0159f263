import './moderation.css'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useParams } from 'wouter'
import { ApiError, callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { TextAreaField } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import {
  MAX_MODERATION_NOTE_LENGTH,
  type ReportReason,
  type ReportSubjectKind,
  reportAndModerationNoticeEndpoints,
  reportReasons,
} from '../contract.ts'
import { reportAndModerationNoticeText } from './report-text.ts'

/**
 * Renders the page where a member reports a post, a reply, a message or a person. Their menus lead to this
 * page.
 */
export default function CreateReportPage() {
  const t = useText(reportAndModerationNoticeText)
  const me = useMe()
  const { kind = '', id = '' } = useParams<{ kind: string; id: string }>()
  const isKnown = kind in t.titles && /^\d+$/.test(id)
  if (!isKnown)
    return (
      <PageLayout kind="inset">
        <EmptyState as="h1" title={t.notFound}>
          <ButtonLink href="/">{t.home}</ButtonLink>
        </EmptyState>
      </PageLayout>
    )
  const subject = { kind: kind as ReportSubjectKind, id: Number(id) }
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.titles[subject.kind]} />
      {me ? (
        <div className="cards">
          <ReportForm key={`${kind} ${id}`} {...subject} />
        </div>
      ) : (
        <LogInPromptBox />
      )}
    </PageLayout>
  )
}

function ReportForm(subject: { kind: ReportSubjectKind; id: number }) {
  const t = useText(reportAndModerationNoticeText)
  const explain = useErrorFormatter()
  const [reason, setReason] = useState<ReportReason | null>(null)
  const [note, setNote] = useState('')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (chosen: ReportReason) =>
      callEndpoint(reportAndModerationNoticeEndpoints.create, { ...subject, reason: chosen, note }),
    onError: (failure) => isErrorWithStatus(failure, 401) && showLogInPromptToast(),
  })
  if (data)
    return (
      <div className="card report-form" role="status">
        <p>{data.message}</p>
        <ButtonLink href="/moderation">{t.toReports}</ButtonLink>
      </div>
    )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (reason && !isPending) mutate(reason)
  }
  const wrong = error instanceof ApiError ? error.errors : {}
  return (
    <form className="card report-form" onSubmit={submit}>
      <p className="text-soft">{t.help}</p>
      {subject.kind === 'message' && <p className="text-soft">{t.messageHelp}</p>}
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
        maxLength={MAX_MODERATION_NOTE_LENGTH}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {error && !wrong.note && <Notice kind="error">{explain(error)}</Notice>}
      <div className="form-actions">
        <Button kind="primary" type="submit" pending={isPending}>
          {t.send}
        </Button>
      </div>
    </form>
  )
}
