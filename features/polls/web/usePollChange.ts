import { useState } from 'react'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { closeToast, showToast } from '#web/ui/Toasts.tsx'
import type { Poll } from '../contract.ts'
import type { PollProps } from './poll-props.ts'
import { pollText } from './text.ts'

/** `change` sends one request at a time. It resolves to whether the server has accepted it. */
export function usePollChange({ poll: { id }, onChange }: Pick<PollProps, 'poll' | 'onChange'>) {
  const t = useText(pollText)
  const explain = useErrorText()
  const [isPending, setPending] = useState(false)
  const change = async (send: () => Promise<Poll>) => {
    if (isPending) return false
    setPending(true)
    const toast = { key: `poll ${id}`, kind: 'error' } as const
    try {
      onChange(await send())
      closeToast(toast.key)
      return true
    } catch (error) {
      if (hasStatus(error, 401)) showLogInToast()
      else showToast(t.failed + explain(error), toast)
      return false
    } finally {
      setPending(false)
    }
  }
  return { change, isPending }
}
