import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchPage, type ListPage } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { type EventDate, eventEndpoints } from '../contract.ts'
import { calendarText } from './calendar-text.ts'
import { EventRow } from './EventRow.tsx'
import type { Shown } from './shown.ts'
import { useChanges } from './useChanges.ts'
import { dayOf } from './when.ts'

const DAY = 86_400_000
/** In days. */
const AHEAD = 800

export const aheadFrom = (from: string) => ({
  from,
  to: new Date(Date.parse(from) + AHEAD * DAY).toISOString(),
})

/** What is still to come, by day. */
export function EventList({ shown: { mine, group } }: { shown: Shown }) {
  const t = useText(calendarText)
  const lang = useLang()
  const [from] = useState(() => new Date().toISOString())
  const query = useInfiniteQuery({
    queryKey: [eventEndpoints.dates.path, 'list', mine, group, from],
    queryFn: ({ pageParam }) =>
      fetchPage(
        eventEndpoints.dates,
        {
          ...{ ...aheadFrom(from), mine: mine ? '1' : '0' },
          ...(group !== null && { group }),
        },
        pageParam,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<EventDate[]>) => next,
    staleTime: 0,
  })
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const changed = useChanges()
  if (!data)
    return error ? (
      <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
    ) : (
      <RowSkeletons count={6} />
    )
  const rows = data.pages.flatMap((page) => page.rows).map((date) => changed(date))
  if (!rows.length) return <EmptyState title={t.empty} help={mine ? t.emptyMine : t.emptyHelp} />
  const today = dayOf(new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString())
  return (
    <>
      {[...Map.groupBy(rows, ({ begins }) => dayOf(begins))].map(([day, events]) => (
        <section key={day} className="event-day" aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>
            {dates.weekday(`${day}T12:00`, lang)}
            {day === today && <span className="today">{t.isToday}</span>}
          </h2>
          <ul className="event-rows">
            {events.map((date) => (
              <EventRow key={date.id} date={date} />
            ))}
          </ul>
        </section>
      ))}
      {hasNextPage && (
        <div className="list-more">
          <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {t.loadMore}
          </Button>
        </div>
      )}
    </>
  )
}
