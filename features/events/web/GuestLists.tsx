import '#features/people/web/people.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { profilePath } from '#features/people/contract.ts'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { fetchPage } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type EventDate, eventEndpoints, type Guest } from '../contract.ts'
import { eventPageText } from './page-text.ts'

type List = 'yes' | 'maybe' | 'no' | 'waiting' | 'missing'

/** Who comes, who does not, and, for those who manage it, who has not answered. */
export function GuestLists({ date }: { date: EventDate }) {
  const t = useText(eventPageText)
  const lang = useLang()
  const { counts, can_manage, reminded_at } = date
  const [chosen, setChosen] = useState<List>('yes')
  const names: List[] = [
    ...(['yes', 'maybe', 'no'] as const),
    ...(counts.waiting || chosen === 'waiting' ? (['waiting'] as const) : []),
    ...(can_manage ? (['missing'] as const) : []),
  ]
  return (
    <section aria-label={t.lists}>
      <div className="guest-tabs">
        <SegmentedControl
          label={t.lists}
          options={names.map((name) => ({
            value: name,
            label: name === 'missing' ? t.list.missing : `${t.list[name]} ${counts[name]}`,
          }))}
          value={chosen}
          onChange={setChosen}
        />
      </div>
      {chosen === 'missing' && reminded_at && (
        <p className="text-meta phone-padding">{t.remindedAt(dates.dayAndClock(reminded_at, lang))}</p>
      )}
      <People date={date} list={chosen} />
    </section>
  )
}

const fetchGuests = async (id: number, list: List, from: string | null) => {
  if (list !== 'missing') return fetchPage(eventEndpoints.guests, { id, list }, from)
  const page = await fetchPage(eventEndpoints.missing, { id }, from)
  return { ...page, rows: page.rows.map((user): Guest => ({ user, ...unanswered })) }
}
const unanswered = { answer: 'maybe', guests: 0, note: null, by_guardian: false, attendance: null } as const

/** In ms, after the last answer. */
const RELOAD = 1000

/** Loads again when somebody answers. */
export function useGuests({ id, counts }: EventDate, list: List) {
  const query = useInfiniteQuery({
    queryKey: [eventEndpoints.guests.path, id, list],
    queryFn: ({ pageParam }) => fetchGuests(id, list, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    staleTime: 0,
  })
  const { refetch } = query
  const key = JSON.stringify(counts)
  const [first] = useState(key)
  useEffect(() => {
    if (key === first) return
    // Many answer at once.
    const timer = setTimeout(() => void refetch(), RELOAD)
    return () => clearTimeout(timer)
  }, [key, first, refetch])
  return query
}

function People({ date, list }: { date: EventDate; list: List }) {
  const t = useText(eventPageText)
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useGuests(
    date,
    list,
  )
  if (!data)
    return error ? (
      <LoadErrorMessage plain error={error} pending={isFetching} onRetry={() => refetch()} />
    ) : (
      <LoadingText />
    )
  const rows = data.pages.flatMap((page) => page.rows)
  if (!rows.length)
    return <p className="text-meta phone-padding">{list === 'missing' ? t.everybody : t.nobody}</p>
  return (
    <>
      <ul className="rows guest-rows">
        {rows.map((guest) => (
          <li key={guest.user.id}>
            <GuestRow guest={guest} />
          </li>
        ))}
      </ul>
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

function GuestRow({ guest: { user, guests, note, by_guardian, attendance } }: { guest: Guest }) {
  const t = useText(eventPageText)
  const said = [
    ...(attendance ? [t[attendance]] : []),
    ...(guests ? [t.guests(guests)] : []),
    ...(by_guardian ? [t.byGuardian] : []),
    ...(note === null ? [] : [note]),
  ]
  return (
    <Link className="row" href={profilePath(user)}>
      <Avatar person={user} />
      <span className="guest">
        <span>
          <UserText className="name">{user.name}</UserText> <SharedHandle person={user} />
        </span>
        {said.length > 0 && (
          <span className="text-meta" dir="auto">
            {said.join(' / ')}
          </span>
        )}
      </span>
    </Link>
  )
}
