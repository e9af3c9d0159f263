import { useEffect, useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import type { Group } from '../group-contract.ts'
import { slowModeText } from './slow-mode-text.ts'

interface SlowModeNoteProps {
  group: Group
  me: Me
  /**
   * The time, in milliseconds since 1970, until which slow mode makes the user wait; 0 if the user may send a
   * message.
   */
  waitsUntil: number
}

/**
 * Renders the line above the message box while slow mode is on. The line counts the seconds until the user
 * may send the next message; while the user need not wait, it explains slow mode.
 */
export default function SlowModeNote({ group, me, waitsUntil }: SlowModeNoteProps) {
  const t = useText(slowModeText)
  const rest = useSecondsUntil(waitsUntil)
  const seconds = group.slow_mode_seconds!
  // The role `timer` keeps screen readers from reading every second of the wait aloud.
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

/**
 * Returns the number of whole seconds until a time, and renders the component again every second until then.
 */
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
