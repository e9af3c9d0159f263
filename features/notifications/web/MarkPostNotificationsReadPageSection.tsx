import { useEffect } from 'react'
import { useParams } from 'wouter'
import { replyStore } from '#features/replies/web/reply-store.ts'
import { callEndpoint } from '#web/api.ts'
import { useMe } from '#web/me.ts'
import { initialPageData } from '#web/page-data.ts'
import { useStore } from '#web/store.ts'
import { notificationEndpoints } from '../contract.ts'
import { unreadNotificationCountAndLastEventIdStore } from './unread-count.ts'

/**
 * An invisible section of the page of a post, which renders nothing. While the page is visible, it marks the
 * member's notifications about the post and about the replies on the page as read. It does so again after
 * each new event, because the page shows new replies and likes live.
 */
export default function MarkPostNotificationsReadPageSection() {
  const post_id = Number(useParams<{ id: string }>().id)
  const isMember = useMe() !== null
  const hasUnread = useStore(unreadNotificationCountAndLastEventIdStore, ({ count }) => count > 0)
  const last_event_id = useStore(unreadNotificationCountAndLastEventIdStore, (unread) => unread.last_event_id)
  const replies = useStore(replyStore, ({ posts }) => posts.get(post_id)?.rows)
  const hasLoadedReplies = replies !== undefined || !initialPageData.app.features.includes('replies')
  const first_reply_id = replies?.[0]?.id
  const last_reply_id = replies?.at(-1)?.id
  const isReady = isMember && hasUnread && hasLoadedReplies && last_event_id > 0
  useEffect(() => {
    if (!isReady) return
    const input = { post_id, last_event_id, first_reply_id, last_reply_id }
    return callOnceVisible(() =>
      callEndpoint(notificationEndpoints.markPostRead, input).then(
        ({ count }) => unreadNotificationCountAndLastEventIdStore.patch({ count }),
        // If the request fails, the number at the bell icon stays, and the next event or visit tries again.
        () => {},
      ),
    )
  }, [isReady, post_id, last_event_id, first_reply_id, last_reply_id])
  return null
}

/** Calls a function once, as soon as the page is visible. Returns a function that cancels this. */
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
