import { useInfiniteQuery } from '@tanstack/react-query'
import { fetchListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { reportAndModerationNoticeEndpoints } from '../contract.ts'
import { LoadingErrorOrMoreButton } from './LoadingErrorOrMoreButton.tsx'
import { reportAndModerationNoticeText } from './report-text.ts'

/** Renders the section with the reports that the member has made, and the state of each. */
export function OwnModerationReportsSection() {
  const t = useText(reportAndModerationNoticeText)
  const query = useInfiniteQuery({
    queryKey: [reportAndModerationNoticeEndpoints.mine.path],
    queryFn: ({ pageParam }) => fetchListPage(reportAndModerationNoticeEndpoints.mine, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const reports = query.data?.pages.flatMap(({ rows }) => rows)
  return (
    <section className="card moderation-section">
      <h2 tabIndex={-1}>{t.ownTitle}</h2>
      {reports?.length === 0 && <p className="text-meta">{t.ownEmpty}</p>}
      {reports?.map(({ id, kind, reason, note, created_at, state }) => (
        <div key={id} className="moderation-item">
          <p>
            {t.kinds[kind]} · {t.reasons[reason]} · <b>{t.states[state]}</b>{' '}
            <span className="text-meta">
              <RelativeTime at={created_at} showFullDate />
            </span>
          </p>
          {note && <UserText className="moderation-note">{note}</UserText>}
        </div>
      ))}
      <LoadingErrorOrMoreButton isLoaded={reports !== undefined} showMore={t.showMore} query={query} />
    </section>
  )
}
