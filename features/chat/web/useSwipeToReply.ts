import { type RefObject, useEffect } from 'react'
import type { MessageActionHandlers } from './message-actions.ts'

/** Begins an answer to a message that the user swipes. Loads the code only on devices with a touch screen. */
export function useSwipeToReply(list: RefObject<HTMLElement | null>, actions: MessageActionHandlers) {
  useEffect(() => {
    if (!matchMedia('(any-pointer: coarse)').matches) return
    let stop: (() => void) | undefined
    let isStopped = false
    const begin = async () => {
      const { listenForSwipesToReply } = await import('./swipe-to-reply.ts')
      if (!isStopped && list.current) stop = listenForSwipesToReply(list.current, actions.replyTo)
    }
    // Ignores a failed download, because the menu of each message has the same action.
    begin().catch(() => {})
    return () => {
      isStopped = true
      stop?.()
    }
  }, [list, actions])
}
