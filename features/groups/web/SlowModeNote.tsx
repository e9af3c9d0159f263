import { useEffect, useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import type { Group } from '../contract.ts'
import { slowModeText } from './text.ts'

interface Props {
  group: Group
  me: Me
  /** In milliseconds since 1970; 0 if the user need not wait. */
  waitsUntil: number
}

/** Counts the seconds of a wait; otherwise explains slow mode. */
export default function SlowModeNote({ group, me, waitsUntil }: Props) {
  const t = useText(slowModeText)
  const rest = useSecondsUntil(waitsUntil)
  const seconds = group.slow_mode_seconds!
  // The role `timer` keeps screen readers from reading every second aloud.
  if (rest)
    return (
      <p className="slow-mode" role="timer">
        {t.rest(rest)}
      </p>
    )
  return (
    <p className="slow-mode">{me.is_admin || group.is_owner ? t.noteForManager(seconds) : t.note(seconds)}</p>
  )
}

/** Whole seconds; renders the component again every second until then. */
function useSecondsUntil(time: number) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    if (!time) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [time])
  return Math.max(0, Math.ceil((time - now) / 1000))
}
