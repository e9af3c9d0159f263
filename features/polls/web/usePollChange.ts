import { useRef, useState } from 'react'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { closeToast, showToast } from '#web/ui/Toasts.tsx'
import type { Poll } from '../contract.ts'
import type { PollProps } from './poll-props.ts'
import { pollText } from './text.ts'

type Send = () => Promise<Poll>

/**
 * `change` sends one request at a time: of those that come while one runs, the newest is sent after it. It
 * resolves when all are done, to whether the server has accepted the last one.
 */
export function usePollChange({ poll: { id }, onChange }: Pick<PollProps, 'poll' | 'onChange'>) {
  const t = useText(pollText)
  const explain = useErrorText()
  const [isPending, setPending] = useState(false)
  const running = useRef<Promise<boolean> | null>(null)
  const next = useRef<Send | null>(null)
  const sendAll = async () => {
    const toast = { key: `poll ${id}`, kind: 'error' } as const
    let isAccepted = false
    for (let send = next.current; send; send = next.current) {
      next.current = null
      try {
        onChange(await send())
        closeToast(toast.key)
        isAccepted = true
      } catch (error) {
        if (hasStatus(error, 401)) showLogInToast()
        else showToast(t.failed + explain(error), toast)
        isAccepted = false
      }
    }
    return isAccepted
  }
  const change = (send: Send) => {
    next.current = send
    setPending(true)
    running.current ??= sendAll().finally(() => {
      running.current = null
      setPending(false)
    })
    return running.current
  }
  return { change, isPending }
}
