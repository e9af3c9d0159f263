import { useParams } from 'wouter'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { type DirectKind, reportEndpoints } from '../contract.ts'
import { ReportForm } from './ReportForm.tsx'
import { reportText } from './text.ts'

export default function CreateReportPage() {
  const t = useText(reportText)
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
  const subject = { kind: kind as DirectKind, id: Number(id) }
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.titles[subject.kind]} />
      {me ? (
        <div className="cards">
          <SubjectReportForm key={`${kind} ${id}`} {...subject} />
        </div>
      ) : (
        <LogInPrompt />
      )}
    </PageLayout>
  )
}

function SubjectReportForm(subject: { kind: DirectKind; id: number }) {
  const t = useText(reportText)
  return (
    <ReportForm
      className="card"
      help={subject.kind === 'message' && t.messageHelp}
      onSend={(report) => callEndpoint(reportEndpoints.create, { ...subject, ...report })}
      renderSent={(message) => (
        <div className="card report-form" role="status">
          <p>{message}</p>
          <ButtonLink href="/moderation">{t.toReports}</ButtonLink>
        </div>
      )}
    />
  )
}
