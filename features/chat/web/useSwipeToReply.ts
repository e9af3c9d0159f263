import { type RefObject, useEffect } from 'react'
import type { MessageActionHandlers } from './message-actions.ts'

/**
 * Begins a reply to a message that the user swipes. Loads the code for this only on devices with a touch
 * screen.
 */
export function useSwipeToReply(list: RefObject<HTMLElement | null>, actions: MessageActionHandlers) {
  useEffect(() => {
    if (!matchMedia('(any-pointer: coarse)').matches) return
    let stop: (() => void) | undefined
    let isStopped = false
    const begin = async () => {
      const { listenForSwipesToReply } = await import('./swipe-to-reply.ts')
      if (!isStopped && list.current) stop = listenForSwipesToReply(list.current, actions.replyTo)
    }
    // Ignores a failed download of this code, because the menu of each message has the same action.
    begin().catch(() => {})
    return () => {
      isStopped = true
      stop?.()
    }
  }, [list, actions])
}
