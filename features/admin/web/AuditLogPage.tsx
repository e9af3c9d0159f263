import './admin.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Person } from '#features/people/contract.ts'
import { fetchListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadError, LogInPrompt } from '#web/LoadError.tsx'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { auditLogEndpoints, type ListedAuditLogEntry } from '../audit-log-contract.ts'
import { auditLogText } from './audit-log-text.ts'

/** The page where all members read what admins and the operator did. */
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
    queryKey: [auditLogEndpoints.list.path],
    queryFn: ({ pageParam }) => fetchListPage(auditLogEndpoints.list, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  if (!data && error) return <LoadError error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!data) return <Loading />
  const entries = data.pages.flatMap(({ rows }) => rows)
  if (!entries.length) return <EmptyState title={t.empty} />
  return (
    <>
      <ol className="card audit-log" reversed>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} namesShown={namesShown} />
        ))}
      </ol>
      {error && <LoadError error={error} pending={isFetching} onRetry={() => fetchNextPage()} plain />}
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
  const { created_at, role, action, subject, settings, actor, member } = entry
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
      {namesShown && subject === 'member' && (
        <span className="audit-log-member">
          {t.member} <PersonName person={member} />
        </span>
      )}
      <span className="text-meta">
        {namesShown && role === 'admin' ? <PersonName person={actor} /> : t.by[role]} ·{' '}
        <RelativeTime at={created_at} showFullDate />
      </span>
    </li>
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
