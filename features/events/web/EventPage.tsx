import './events.css'
import './calendar.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useParams } from 'wouter'
import { useMarkPostRead } from '#features/notifications/web/useMarkPostRead.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus } from '#web/errors.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Sidebar } from '#web/Sidebar.tsx'
import { usePageTitle } from '#web/title.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { PageSections } from '#web/views.tsx'
import { type EventDate, eventEndpoints } from '../contract.ts'
import { Answers } from './Answers.tsx'
import { Attendance } from './Attendance.tsx'
import { calendarText } from './calendar-text.ts'
import { DayOf } from './DayOf.tsx'
import { canAnswer, State } from './EventCard.tsx'
import { mayMove, onDateChange, setDate, withShared } from './event-store.ts'
import { Facts } from './Facts.tsx'
import { GuestLists } from './GuestLists.tsx'
import { ManageMenu } from './ManageMenu.tsx'
import { OtherDates } from './OtherDates.tsx'
import { eventPageText } from './page-text.ts'

export default function EventPage() {
  const id = Number(useParams<{ id: string }>().id)
  return (
    <PageLayout sidebar={<Sidebar />}>
      <LoadedEvent key={id} id={id} />
    </PageLayout>
  )
}

function LoadedEvent({ id }: { id: number }) {
  const t = useText(eventPageText)
  const calendar = useText(calendarText)
  const client = useQueryClient()
  const key = [eventEndpoints.date.path, id]
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: key,
    queryFn: () => callEndpoint(eventEndpoints.date, { id }),
    staleTime: 0,
    retry: (count, failure) => !hasStatus(failure, 404) && count < 2,
  })
  const set = (date: EventDate) => {
    client.setQueryData(key, date)
    setDate(date)
  }
  useEffect(
    () =>
      onDateChange((shared) => {
        if (shared.id !== id) return
        const queryKey = [eventEndpoints.date.path, id]
        const known = client.getQueryData<EventDate>(queryKey)
        if (!known) return
        client.setQueryData(queryKey, withShared(known, shared))
        if (mayMove(known, shared)) void client.invalidateQueries({ queryKey })
      }),
    [client, id],
  )
  usePageTitle(data?.title ?? null)
  if (!data && hasStatus(error, 404))
    return (
      <EmptyState as="h1" title={t.notFound}>
        <ButtonLink href="/events">{calendar.title}</ButtonLink>
      </EmptyState>
    )
  if (!data)
    return (
      <>
        <PageHeader title={calendar.title} />
        {error ? (
          <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
        ) : (
          <RowSkeletons count={4} />
        )}
      </>
    )
  return <Details date={data} onChange={set} />
}

function Details({ date, onChange }: { date: EventDate; onChange: (date: EventDate) => void }) {
  const t = useText(eventPageText)
  const isMember = useMe() !== null
  useMarkPostRead(date.post_id)
  const [isMarking, setMarking] = useState(false)
  return (
    <article className="event-page">
      <header className="page-header">
        <h1 tabIndex={-1}>
          <State date={date} /> <UserText lang={detectLanguage(date.title)}>{date.title}</UserText>
        </h1>
        {date.can_manage && (
          <div className="header-aside">
            <ManageMenu date={date} onChange={onChange} onMark={() => setMarking(true)} />
          </div>
        )}
      </header>
      <section className="card alone event-details">
        <Facts date={date} />
        {date.group && (
          <p className="text-meta">
            <UserText>{date.group.name}</UserText>
            {date.group.has_ended && (
              <>
                <br />
                {t.groupEnded}
              </>
            )}
          </p>
        )}
        {isMember && canAnswer(date) && <Answers date={date} onChange={onChange} />}
        {isMember && <DayOf date={date} />}
        <p className="event-links">
          <ButtonLink small href={`/posts/${date.post_id}`}>
            {t.toPost}
          </ButtonLink>
        </p>
      </section>
      <PageSections path="/events/:id" />
      {isMarking ? (
        <Attendance date={date} onDone={() => setMarking(false)} />
      ) : (
        isMember && <GuestLists date={date} />
      )}
      {date.rule && <OtherDates date={date} />}
    </article>
  )
}
