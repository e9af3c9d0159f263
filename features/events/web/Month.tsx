import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { callEndpoint, fetchPage } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { type EventDate, eventEndpoints, weekdays } from '../contract.ts'
import { calendarText } from './calendar-text.ts'
import { EventRow } from './EventRow.tsx'
import { weekdayName } from './rule.ts'
import type { Shown } from './shown.ts'
import { useChanges } from './useChanges.ts'
import { dayOf } from './when.ts'

const DAY = 86_400_000
/** In a day of the grid. */
const SHOWN = 3

/** The days of the weeks that have a part of the month; a week begins on Sunday in Japanese, else on Monday. */
function daysOf(month: string, lang: 'en' | 'ja') {
  const first = new Date(`${month}-01T00:00Z`)
  const before = lang === 'ja' ? first.getUTCDay() : (first.getUTCDay() + 6) % 7
  const next = new Date(first)
  next.setUTCMonth(next.getUTCMonth() + 1)
  const weeks = Math.ceil((before + (next.getTime() - first.getTime()) / DAY) / 7)
  return Array.from({ length: weeks * 7 }, (_, at) =>
    new Date(first.getTime() + (at - before) * DAY).toISOString().slice(0, 10),
  )
}

function movedMonth(month: string, by: number) {
  const day = new Date(`${month}-01T00:00Z`)
  day.setUTCMonth(day.getUTCMonth() + by)
  return day.toISOString().slice(0, 7)
}

const today = () => dayOf(new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString())

/** All pages: a month has few. */
async function fetchAll(from: string, to: string, mine: boolean, group: number | null) {
  const all: EventDate[] = []
  const input = {
    from,
    to,
    mine: mine ? ('1' as const) : ('0' as const),
    limit: 200,
    ...(group !== null && { group }),
  }
  for (let next: string | null = null, at = 0; at < 10; at++) {
    const page: { rows: EventDate[]; next: string | null } = await fetchPage(
      eventEndpoints.dates,
      input,
      next,
    )
    all.push(...page.rows)
    next = page.next
    if (next === null) break
  }
  return all
}

export function Month({ shown, onShow }: { shown: Shown; onShow: (change: Partial<Shown>) => void }) {
  const t = useText(calendarText)
  const lang = useLang()
  const { month, mine, group } = shown
  const days = daysOf(month, lang)
  const [chosen, setChosen] = useState(today)
  // A day more on both sides: elsewhere it is another day.
  const from = new Date(Date.parse(days[0]!) - DAY).toISOString()
  const to = new Date(Date.parse(days.at(-1)!) + 2 * DAY).toISOString()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [eventEndpoints.dates.path, 'month', month, mine, group, lang],
    queryFn: () => fetchAll(from, to, mine, group),
    staleTime: 0,
    placeholderData: (earlier) => earlier,
  })
  const holidays = useHolidays(days[0]!, days.at(-1)!)
  const changed = useChanges()
  const all = (data ?? []).map((date) => changed(date))
  const on = (day: string) => all.filter(({ begins, ends, all_day }) => covers(day, begins, ends, all_day))
  return (
    <>
      <div className="month-header">
        <Button
          kind="ghost"
          iconOnly
          icon={ChevronLeft}
          label={t.earlier}
          onClick={() => onShow({ month: movedMonth(month, -1) })}
        />
        <h2 aria-live="polite">{dates.month(`${month}-15T12:00`, lang)}</h2>
        <Button
          kind="ghost"
          iconOnly
          icon={ChevronRight}
          label={t.later}
          onClick={() => onShow({ month: movedMonth(month, 1) })}
        />
        <Button
          small
          onClick={() => {
            setChosen(today())
            onShow({ month: today().slice(0, 7) })
          }}
        >
          {t.today}
        </Button>
      </div>
      {error && !data && <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />}
      <div className="month-grid">
        {(lang === 'ja' ? (['SU', ...weekdays.slice(0, 6)] as const) : weekdays).map((day) => (
          <span key={day} className="weekday text-meta" aria-hidden="true">
            {weekdayName(day, lang)}
          </span>
        ))}
        {days.map((day) => (
          <Day
            key={day}
            day={day}
            isOutside={!day.startsWith(month)}
            isChosen={day === chosen}
            holiday={holidays.get(day)}
            events={on(day)}
            onChoose={() => setChosen(day)}
          />
        ))}
      </div>
      <section className="event-day" aria-live="polite">
        <h2>
          {dates.weekday(`${chosen}T12:00`, lang)}
          {holidays.has(chosen) && <span className="holiday">{holidays.get(chosen)}</span>}
        </h2>
        {on(chosen).length ? (
          <ul className="event-rows">
            {on(chosen).map((date) => (
              <EventRow key={date.id} date={date} />
            ))}
          </ul>
        ) : (
          <p className="text-meta phone-padding">{t.empty}</p>
        )}
      </section>
    </>
  )
}

/** An end at midnight belongs to the day before. */
function covers(day: string, begins: string, ends: string, allDay: boolean) {
  const last =
    !allDay && ends.endsWith('T00:00') && dayOf(begins) < dayOf(ends) ? previous(dayOf(ends)) : dayOf(ends)
  return dayOf(begins) <= day && day <= last
}
const previous = (day: string) => new Date(Date.parse(day) - DAY).toISOString().slice(0, 10)

/** Of Japan, for readers of Japanese and for whoever is there. */
function useHolidays(from: string, to: string): ReadonlyMap<string, string> {
  const lang = useLang()
  const isWanted = lang === 'ja' || dates.timeZone() === 'Asia/Tokyo'
  const { data = [] } = useQuery({
    queryKey: [eventEndpoints.holidays.path, from, to, lang],
    queryFn: () => callEndpoint(eventEndpoints.holidays, { from, to }),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return new Map(data.map(({ day, name }) => [day, name]))
}

interface DayProps {
  day: string
  isOutside: boolean
  isChosen: boolean
  holiday: string | undefined
  events: readonly EventDate[]
  onChoose: () => void
}

function Day({ day, isOutside, isChosen, holiday, events, onChoose }: DayProps) {
  const t = useText(calendarText)
  const lang = useLang()
  const weekday = new Date(`${day}T12:00Z`).getUTCDay()
  const label = [
    dates.weekday(`${day}T12:00`, lang),
    ...(holiday ? [holiday] : []),
    ...(events.length ? [t.count(events.length)] : []),
  ].join(', ')
  return (
    <button
      type="button"
      className="month-day"
      data-outside={isOutside || undefined}
      data-rest={weekday === 0 || holiday !== undefined || undefined}
      data-saturday={weekday === 6 || undefined}
      aria-current={day === today() ? 'date' : undefined}
      aria-pressed={isChosen}
      aria-label={label}
      onClick={onChoose}
    >
      <span className="number">{Number(day.slice(8))}</span>
      {holiday && <span className="holiday">{holiday}</span>}
      {events.slice(0, SHOWN).map((date) => (
        <span key={date.id} className="entry" data-cancelled={date.cancelled_at !== null || undefined}>
          {date.title}
        </span>
      ))}
      {events.length > SHOWN && <span className="more">{t.more(events.length - SHOWN)}</span>}
    </button>
  )
}
