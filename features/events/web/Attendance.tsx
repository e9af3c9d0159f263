import { Check, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { useStore } from '#web/store.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { EventDate, Guest } from '../contract.ts'
import { useGuests } from './GuestLists.tsx'
import { type Mark, Marks } from './marks.ts'
import { eventPageText } from './page-text.ts'

const lists = ['yes', 'maybe', 'missing', 'no'] as const

/** On the day: those who said yes come first. */
export function Attendance({ date, onDone }: { date: EventDate; onDone: () => void }) {
  const t = useText(eventPageText)
  const explain = useErrorText()
  const me = useMe()!
  const [marks] = useState(
    () => new Marks(me.id, date.id, (error) => showToast(explain(error), { kind: 'error' })),
  )
  useEffect(() => marks.start(), [marks])
  const { unsent, sent } = useStore(marks.state, (state) => state)
  const waiting = Object.keys(unsent).length
  return (
    <section className="attendance">
      <div className="attendance-header">
        <h2>{t.attendance}</h2>
        <Button onClick={onDone}>{t.attendanceDone}</Button>
      </div>
      <p className="text-meta">{t.attendanceHelp}</p>
      {waiting > 0 && (
        <p className="text-meta" role="status">
          {t.unsent(waiting)}
        </p>
      )}
      {lists.map((list) => (
        <Marked
          key={list}
          date={date}
          list={list}
          markOf={({ user: { id }, attendance }) =>
            id in unsent ? unsent[id]! : sent.has(id) ? sent.get(id)! : attendance
          }
          onMark={(user, mark) => marks.set(user, mark)}
        />
      ))}
    </section>
  )
}

interface MarkedProps {
  date: EventDate
  list: (typeof lists)[number]
  markOf: (guest: Guest) => Mark
  onMark: (user: number, mark: Mark) => void
}

function Marked({ date, list, markOf, onMark }: MarkedProps) {
  const t = useText(eventPageText)
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useGuests(date, list)
  if (!data) return list === 'yes' ? <LoadingText /> : null
  const rows = data.pages.flatMap((page) => page.rows)
  if (!rows.length) return null
  return (
    <>
      <h3 className="text-meta">{t.list[list]}</h3>
      <ul className="attendance-rows">
        {rows.map((guest) => {
          const now = markOf(guest)
          const { id, name } = guest.user
          const toggle = (mark: 'here' | 'absent') => onMark(id, now === mark ? null : mark)
          return (
            <li key={id}>
              <Avatar person={guest.user} />
              <span className="who">
                <UserText className="name">{name}</UserText>
                {guest.guests > 0 && <span className="text-meta">{t.guests(guest.guests)}</span>}
              </span>
              {(['here', 'absent'] as const).map((mark) => (
                <Button
                  key={mark}
                  small
                  icon={mark === 'here' ? Check : X}
                  label={`${name}: ${t[mark]}`}
                  aria-pressed={now === mark}
                  onClick={() => toggle(mark)}
                >
                  {t[mark]}
                </Button>
              ))}
            </li>
          )
        })}
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
