import './admin.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { reportAndModerationNoticeText } from '#features/moderation/web/report-text.ts'
import type { Person } from '#features/people/contract.ts'
import { fetchListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { auditLogEndpoints, type ListedAuditLogEntry } from '../audit-log-contract.ts'
import { auditLogText } from './audit-log-text.ts'

/** Renders the page where all members read what admins, moderators, the operator and the system did. */
export default function AuditLogPage() {
  const t = useText(auditLogText)
  const me = useMe()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.title} />
      {me ? (
        <>
          <p className="text-soft audit-log-help">{t.help}</p>
          <Entries namesShown={me.is_admin} />
        </>
      ) : (
        <LogInPromptBox />
      )}
    </PageLayout>
  )
}

function Entries({ namesShown }: { namesShown: boolean }) {
  const t = useText(auditLogText)
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [auditLogEndpoints.list.path],
    queryFn: ({ pageParam }) => fetchListPage(auditLogEndpoints.list, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  if (!data && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!data) return <LoadingText />
  const entries = data.pages.flatMap(({ rows }) => rows)
  if (!entries.length) return <EmptyState title={t.empty} />
  return (
    <>
      <ol className="card audit-log" reversed>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} namesShown={namesShown} />
        ))}
      </ol>
      {error && <LoadErrorMessage error={error} pending={isFetching} onRetry={() => fetchNextPage()} plain />}
      {hasNextPage && !error && (
        <div className="form-actions">
          <Button pending={isFetching} onClick={() => fetchNextPage()}>
            {t.showMore}
          </Button>
        </div>
      )}
    </>
  )
}

function Entry({ entry, namesShown }: { entry: ListedAuditLogEntry; namesShown: boolean }) {
  const t = useText(auditLogText)
  const { reasons } = useText(reportAndModerationNoticeText)
  const { created_at, role, action, subject, settings, reason, report_reason, actor, member } = entry
  return (
    <li>
      {t.actions[action] ?? action}
      {settings && (
        <code className="audit-log-settings">
          {Object.entries(settings)
            .map(([name, value]) => `${name} = ${value}`)
            .join(', ')}
        </code>
      )}
      {reason && (
        <span className="audit-log-member">
          <UserText>{reason}</UserText>
        </span>
      )}
      {namesShown && subject === 'member' && (
        <span className="audit-log-member">
          {t.member} <PersonName person={member} />
        </span>
      )}
      <PeopleLine label={t.togetherWith} people={entry.together_with} />
      <PeopleLine label={t.guardians} people={entry.guardians} />
      {report_reason && (
        <span className="audit-log-member">{reasons[report_reason as keyof typeof reasons]}</span>
      )}
      <span className="text-meta">
        {namesShown && (role === 'admin' || role === 'moderator') ? (
          <PersonName person={actor} />
        ) : (
          t.by[role]
        )}{' '}
        · <RelativeTime at={created_at} showFullDate />
      </span>
    </li>
  )
}

function PeopleLine({ label, people }: { label: string; people: Person[] }) {
  if (!people.length) return null
  return (
    <span className="audit-log-member">
      {label}{' '}
      {people.map((person, index) => (
        <Fragment key={person.id}>
          {index > 0 && ', '}
          <PersonName person={person} />
        </Fragment>
      ))}
    </span>
  )
}

function PersonName({ person }: { person: Person | null }) {
  const t = useText(auditLogText)
  if (!person) return t.former
  return (
    <Link className="link" href={`/people/${person.id}`}>
      <bdi>{person.name}</bdi>
    </Link>
  )
}
