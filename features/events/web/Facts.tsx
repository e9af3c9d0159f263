import { CalendarDays, MapPin, Repeat, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import * as dates from '#web/dates.ts'
import { Dot, useLang, useText } from '#web/i18n.ts'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { EventDate } from '../contract.ts'
import { ruleWords } from './rule.ts'
import { eventText } from './text.ts'
import { foreignZone, when } from './when.ts'

/** When and where, and how many come. */
export function Facts({ date }: { date: EventDate }) {
  const t = useText(eventText)
  const lang = useLang()
  const zone = foreignZone(date, lang)
  return (
    <ul className="event-facts">
      <Fact icon={CalendarDays}>
        <time dateTime={date.begins_at}>{when(date, lang)}</time>
        {zone && <span className="text-meta">{t.zone(zone.zone, zone.here)}</span>}
      </Fact>
      {date.place && (
        <Fact icon={MapPin}>
          <UserText>{date.place}</UserText>
        </Fact>
      )}
      {date.rule && <Fact icon={Repeat}>{t.repeats(ruleWords(date.rule, lang))}</Fact>}
      <Fact icon={Users}>
        <Numbers date={date} />
      </Fact>
    </ul>
  )
}

const Fact = ({ icon, children }: { icon: LucideIcon; children: ReactNode }) => (
  <li>
    <Icon icon={icon} size="s" />
    <span>{children}</span>
  </li>
)

function Numbers({ date }: { date: EventDate }) {
  const t = useText(eventText)
  const lang = useLang()
  const { counts, places, answers_until, is_closed, ends_at, cancelled_at } = date
  const isOver = Date.parse(ends_at) <= Date.now()
  const parts = [
    places === null ? t.comes(counts.yes) : t.places(counts.taken, places),
    ...(counts.guests ? [t.withGuests(counts.guests)] : []),
    ...(places !== null && counts.taken >= places ? [t.full] : []),
    ...(counts.waiting ? [`${t.waiting} ${counts.waiting}`] : []),
    ...(cancelled_at === null && !isOver && is_closed ? [t.closed] : []),
    ...(!is_closed && answers_until ? [t.until(dates.dayAndClock(answers_until, lang))] : []),
  ]
  return parts.map((part, index) => (
    <span key={part}>
      {index > 0 && <Dot />}
      {part}
    </span>
  ))
}
