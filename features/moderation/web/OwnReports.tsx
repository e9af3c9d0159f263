import { useInfiniteQuery } from '@tanstack/react-query'
import { fetchPage } from '#web/api.ts'
import { Dot, useText } from '#web/i18n.ts'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { reportEndpoints } from '../contract.ts'
import { ListEnd } from './ListEnd.tsx'
import { reportText } from './text.ts'

export function OwnReports() {
  const t = useText(reportText)
  const query = useInfiniteQuery({
    queryKey: [reportEndpoints.mine.path],
    queryFn: ({ pageParam }) => fetchPage(reportEndpoints.mine, {}, pageParam),
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
            {t.kinds[kind]}
            <Dot />
            {t.reasons[reason]}
            <Dot />
            <b>{t.states[state]}</b>{' '}
            <span className="text-meta">
              <RelativeTime at={created_at} showFullDate />
            </span>
          </p>
          {note && <UserText className="moderation-note">{note}</UserText>}
        </div>
      ))}
      <ListEnd isLoaded={reports !== undefined} showMore={t.showMore} query={query} />
    </section>
  )
}
