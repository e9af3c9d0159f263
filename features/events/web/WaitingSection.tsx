import './calendar.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { fetchPage, type ListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { type EventDate, eventEndpoints } from '../contract.ts'
import { calendarText } from './calendar-text.ts'
import { aheadFrom } from './EventList.tsx'
import { EventRow } from './EventRow.tsx'

/** Events that the member, or a child of the member, has not answered; nothing without them. */
export default function WaitingSection() {
  const t = useText(calendarText)
  const isMember = useMe() !== null
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: [eventEndpoints.dates.path, 'unanswered'],
      queryFn: ({ pageParam }) =>
        fetchPage(
          eventEndpoints.dates,
          { ...aheadFrom(new Date().toISOString()), unanswered: '1' },
          pageParam,
        ),
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }: ListPage<EventDate[]>) => next,
      // What was answered is gone at the next visit.
      staleTime: 0,
      enabled: isMember,
    })
  const rows = data?.pages.flatMap((page) => page.rows)
  if (!rows && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!rows?.length && !hasNextPage) return null
  return (
    <section className="waiting-section" aria-label={t.unanswered}>
      <h2>{t.unanswered}</h2>
      <ul className="event-rows">
        {rows?.map((date) => (
          <EventRow key={date.id} date={date} hasDay />
        ))}
      </ul>
      {hasNextPage && (
        <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t.loadMore}
        </Button>
      )}
    </section>
  )
}
