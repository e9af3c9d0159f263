import { useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { closeToast, showToast } from '#web/ui/Toasts.tsx'
import { type Answer, type EventDate, eventEndpoints } from '../contract.ts'
import { eventText } from './text.ts'

interface Said {
  answer: Answer
  note: string | null
  guests: number
}

/** `send` sends one answer; meanwhile `wanted` is what was pressed. `child`: for whom a guardian answers. */
export function useAnswer(date: EventDate, onChange: (date: EventDate) => void, child?: number) {
  const t = useText(eventText)
  const explain = useErrorText()
  const [wanted, setWanted] = useState<Answer | null>(null)
  const [isPending, setPending] = useState(false)
  const toast = { key: `event ${date.id} ${child ?? ''}`, kind: 'error' } as const
  const send = async ({ answer, note, guests }: Said) => {
    if (isPending) return
    setWanted(answer)
    setPending(true)
    try {
      const who = child === undefined ? {} : { for: child }
      onChange(await callEndpoint(eventEndpoints.answer, { id: date.id, answer, note, guests, ...who }))
      closeToast(toast.key)
    } catch (error) {
      if (hasStatus(error, 401)) showLogInToast()
      else showToast(t.failed + explain(error), toast)
    } finally {
      setWanted(null)
      setPending(false)
    }
  }
  return { send, wanted, isPending }
}
