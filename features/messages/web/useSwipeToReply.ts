import { type RefObject, useEffect } from 'react'
import type { MessageActions } from './actions.ts'

/** Loads the code only on devices with a touch screen. */
export function useSwipeToReply(list: RefObject<HTMLElement | null>, actions: MessageActions) {
  useEffect(() => {
    if (!matchMedia('(any-pointer: coarse)').matches) return
    let stop: (() => void) | undefined
    let isStopped = false
    const begin = async () => {
      const { listenForSwipes } = await import('./swipe-to-reply.ts')
      if (!isStopped && list.current) stop = listenForSwipes(list.current, actions.replyTo)
    }
    // The menu of each message has the same action.
    begin().catch(() => {})
    return () => {
      isStopped = true
      stop?.()
    }
  }, [list, actions])
}
