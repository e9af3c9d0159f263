import { useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type EventDate, eventEndpoints } from '../contract.ts'
import { eventPageText } from './page-text.ts'

const DAY = 86_400_000

/** Whoever said yes and cannot come after all, on the day. */
export function DayOf({ date }: { date: EventDate }) {
  const t = useText(eventPageText)
  const explain = useErrorText()
  const me = useMe()!
  const [isAbsent, setAbsent] = useState(date.is_absent ?? false)
  const [isPending, setPending] = useState(false)
  const left = Date.parse(date.begins_at) - Date.now()
  const isToday = left < DAY && Date.parse(date.ends_at) > Date.now()
  const comes = date.mine?.answer === 'yes' && date.mine.position === undefined
  if (!isToday || !comes || date.cancelled_at !== null) return null
  const say = async (attendance: 'absent' | null) => {
    setPending(true)
    try {
      await callEndpoint(eventEndpoints.attend, { id: date.id, user: me.id, attendance })
      setAbsent(attendance !== null)
    } catch (error) {
      showToast(explain(error), { kind: 'error' })
    } finally {
      setPending(false)
    }
  }
  return (
    <div className="day-of">
      {isAbsent && <p role="status">{t.absentSaid}</p>}
      <Button pending={isPending} onClick={() => say(isAbsent ? null : 'absent')}>
        {isAbsent ? t.notAbsent : t.absentToday}
      </Button>
    </div>
  )
}
