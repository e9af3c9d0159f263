import { useEffect } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useMe } from '#web/me.ts'
import { useStore } from '#web/store.ts'
import { notificationEndpoints } from '../contract.ts'
import { unreadStore } from './unread-count.ts'

interface ShownReplies {
  first_reply_id?: number | undefined
  last_reply_id?: number | undefined
}

/**
 * Of a post that the page shows: runs while the page is visible, and again after each event, as the page shows
 * it live. `replies` is null until they are loaded.
 */
export function useMarkPostRead(post_id: number, replies: ShownReplies | null = {}) {
  const isMember = useMe() !== null
  const hasUnread = useStore(unreadStore, ({ count }) => count > 0)
  const last_event_id = useStore(unreadStore, (unread) => unread.last_event_id)
  const isReady = isMember && hasUnread && replies !== null && last_event_id > 0
  const { first_reply_id, last_reply_id } = replies ?? {}
  useEffect(() => {
    if (!isReady) return
    const input = { post_id, last_event_id, first_reply_id, last_reply_id }
    return callOnceVisible(() =>
      callEndpoint(notificationEndpoints.markPostRead, input).then(
        ({ count }) => unreadStore.patch({ count }),
        // The number at the bell icon stays, and the next event or visit tries again.
        () => {},
      ),
    )
  }, [isReady, post_id, last_event_id, first_reply_id, last_reply_id])
}

/** Returns a function that cancels this. */
function callOnceVisible(run: () => void) {
  const check = () => {
    if (document.visibilityState !== 'visible') return
    document.removeEventListener('visibilitychange', check)
    run()
  }
  document.addEventListener('visibilitychange', check)
  check()
  return () => document.removeEventListener('visibilitychange', check)
}
