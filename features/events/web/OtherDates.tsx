import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchPage } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Link } from '#web/ui/Link.tsx'
import { type EventDate, eventEndpoints, MAX_DATES } from '../contract.ts'
import { State } from './EventCard.tsx'
import { eventPageText } from './page-text.ts'
import { eventText } from './text.ts'
import { timeOnly } from './when.ts'

const YEAR = 366 * 86_400_000

/** Of the same event, from today on. */
export function OtherDates({ date }: { date: EventDate }) {
  const t = useText(eventPageText)
  const words = useText(eventText)
  const lang = useLang()
  const [from] = useState(() => new Date().toISOString())
  const { data } = useQuery({
    queryKey: [eventEndpoints.dates.path, 'event', date.event_id, from],
    queryFn: () => {
      const to = new Date(Date.parse(from) + 4 * YEAR).toISOString()
      return fetchPage(eventEndpoints.dates, { from, to, event: date.event_id, limit: MAX_DATES }, null)
    },
    staleTime: 0,
  })
  if (!data || data.rows.length < 2) return null
  return (
    <section className="other-dates">
      <h2>{t.otherDates}</h2>
      <ul className="event-rows">
        {data.rows.map((other) => (
          <li key={other.id}>
            <Link
              className="event-row"
              href={`/events/${other.id}`}
              aria-current={other.id === date.id ? 'page' : undefined}
            >
              <span className="what">
                <State date={other} /> {dates.weekday(`${other.begins.slice(0, 10)}T12:00`, lang)}{' '}
                {timeOnly(other, lang)}
              </span>
              <span className="mine">
                {other.mine
                  ? other.mine.position === undefined
                    ? words[other.mine.answer]
                    : words.waiting
                  : null}
              </span>
              <span className="text-meta facts">
                {other.places === null
                  ? words.comes(other.counts.yes)
                  : words.places(other.counts.taken, other.places)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
