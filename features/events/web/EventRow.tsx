import { Circle, Clock, Hourglass, MapPin, Triangle, X } from 'lucide-react'
import { detectLanguage, useLang, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { EventDate } from '../contract.ts'
import { calendarText } from './calendar-text.ts'
import { canAnswer, State } from './EventCard.tsx'
import { eventText } from './text.ts'
import { timeOnly, when } from './when.ts'

const icons = { yes: Circle, maybe: Triangle, no: X }

interface Props {
  date: EventDate
  /** The list has no headings with days. */
  hasDay?: boolean
}

export function EventRow({ date, hasDay }: Props) {
  const t = useText(eventText)
  const lang = useLang()
  const time = (hasDay ? when : timeOnly)(date, lang)
  return (
    <li>
      <Link
        className="event-row"
        href={`/events/${date.id}`}
        data-cancelled={date.cancelled_at !== null || undefined}
      >
        <span className="what">
          <State date={date} /> <UserText lang={detectLanguage(date.title)}>{date.title}</UserText>
        </span>
        <span className="text-meta facts">
          {time && (
            <span>
              <Icon icon={Clock} size="s" /> {time}
            </span>
          )}
          {date.place && (
            <span>
              <Icon icon={MapPin} size="s" /> <UserText>{date.place}</UserText>
            </span>
          )}
          {date.group && <UserText>{date.group.name}</UserText>}
          <span>
            {date.places === null ? t.comes(date.counts.yes) : t.places(date.counts.taken, date.places)}
          </span>
          <Unanswered date={date} />
        </span>
        <Mine date={date} />
      </Link>
    </li>
  )
}

/** The children of the viewer for whom nobody has answered. */
function Unanswered({ date }: { date: EventDate }) {
  const calendar = useText(calendarText)
  if (!canAnswer(date) || date.is_closed) return null
  const names = date.children?.filter(({ mine }) => !mine).map(({ child }) => child.name) ?? []
  return names.length > 0 && <strong>{calendar.waitsFor(names)}</strong>
}

function Mine({ date }: { date: EventDate }) {
  const t = useText(eventText)
  const calendar = useText(calendarText)
  const { mine } = date
  const isMember = useMe() !== null
  if (!isMember) return null
  if (!mine)
    return canAnswer(date) && !date.is_closed ? <span className="mine asks">{calendar.waits}</span> : null
  const isWaiting = mine.position !== undefined
  return (
    <span className="mine">
      <Icon icon={isWaiting ? Hourglass : icons[mine.answer]} size="s" />
      {isWaiting ? t.waiting : t[mine.answer]}
    </span>
  )
}
