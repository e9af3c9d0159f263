import { useParams } from 'wouter'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { type DirectReportSubjectKind, reportAndModerationNoticeEndpoints } from '../contract.ts'
import { ReportForm } from './ReportForm.tsx'
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
  const subject = { kind: kind as DirectReportSubjectKind, id: Number(id) }
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.titles[subject.kind]} />
      {me ? (
        <div className="cards">
          <SubjectReportForm key={`${kind} ${id}`} {...subject} />
        </div>
      ) : (
        <LogInPromptBox />
      )}
    </PageLayout>
  )
}

function SubjectReportForm(subject: { kind: DirectReportSubjectKind; id: number }) {
  const t = useText(reportAndModerationNoticeText)
  return (
    <ReportForm
      className="card"
      help={subject.kind === 'message' && t.messageHelp}
      onSend={(report) => callEndpoint(reportAndModerationNoticeEndpoints.create, { ...subject, ...report })}
      renderSent={(message) => (
        <div className="card report-form" role="status">
          <p>{message}</p>
          <ButtonLink href="/moderation">{t.toReports}</ButtonLink>
        </div>
      )}
    />
  )
}
