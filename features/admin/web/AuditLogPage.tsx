import './admin.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { reportText } from '#features/moderation/web/text.ts'
import type { Person } from '#features/people/contract.ts'
import { fetchPage } from '#web/api.ts'
import { Dot, useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { PersonName, UserText } from '#web/ui/UserText.tsx'
import { auditEndpoints, type LogEntry } from '../contract.ts'
import { auditLogText } from './audit-log-text.ts'
import { settingLines } from './settings-log.ts'

/** For all members. */
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
        <LogInPrompt />
      )}
    </PageLayout>
  )
}

function Entries({ namesShown }: { namesShown: boolean }) {
  const t = useText(auditLogText)
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [auditEndpoints.list.path],
    queryFn: ({ pageParam }) => fetchPage(auditEndpoints.list, {}, pageParam),
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

function Entry({ entry, namesShown }: { entry: LogEntry; namesShown: boolean }) {
  const t = useText(auditLogText)
  const { reasons } = useText(reportText)
  const lang = useLang()
  const { created_at, role, action, subject, settings, reason, report_reason, actor, member } = entry
  return (
    <li>
      {t.actions[action] ?? action}
      {settings &&
        settingLines(lang, settings).map((line) => (
          <span key={line} className="audit-log-member">
            <UserText>{line}</UserText>
          </span>
        ))}
      {reason && (
        <span className="audit-log-member">
          <UserText>{reason}</UserText>
        </span>
      )}
      {namesShown && subject === 'member' && (
        <span className="audit-log-member">
          {t.member}
          <PersonLink person={member} />
        </span>
      )}
      <PeopleLine label={t.togetherWith} people={entry.together_with} />
      <PeopleLine label={t.guardians} people={entry.guardians} />
      {report_reason && (
        <span className="audit-log-member">{reasons[report_reason as keyof typeof reasons]}</span>
      )}
      <span className="text-meta">
        {namesShown && ['admin', 'moderator', 'member'].includes(role) ? (
          <PersonLink person={actor} />
        ) : (
          t.by[role]
        )}
        <Dot />
        <RelativeTime at={created_at} showFullDate />
      </span>
    </li>
  )
}

function PeopleLine({ label, people }: { label: string; people: Person[] }) {
  const t = useText(auditLogText)
  if (!people.length) return null
  return (
    <span className="audit-log-member">
      {label}
      {people.map((person, index) => (
        <Fragment key={person.id}>
          {index > 0 && t.comma}
          <PersonLink person={person} />
        </Fragment>
      ))}
    </span>
  )
}

function PersonLink({ person }: { person: Person | null }) {
  const t = useText(auditLogText)
  if (!person) return t.former
  return (
    <Link className="link" href={`/people/${person.id}`}>
      <PersonName>{person.name}</PersonName>
    </Link>
  )
}
