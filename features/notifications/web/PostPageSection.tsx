import { useEffect } from 'react'
import { useParams } from 'wouter'
import * as replyStore from '#features/replies/web/reply-store.ts'
import { callEndpoint } from '#web/api.ts'
import { useMe } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import { useStore } from '#web/store.ts'
import { notificationEndpoints } from '../contract.ts'
import { unreadStore } from './unread-count.ts'

/** Shows nothing. Runs while the page is visible, and again after each event, as the page shows it live. */
export default function PostPageSection() {
  const post_id = Number(useParams<{ id: string }>().id)
  const isMember = useMe() !== null
  const hasUnread = useStore(unreadStore, ({ count }) => count > 0)
  const last_event_id = useStore(unreadStore, (unread) => unread.last_event_id)
  const replies = useStore(replyStore.state, ({ posts }) => posts.get(post_id)?.rows)
  const hasLoadedReplies = replies !== undefined || !pageData.app.features.includes('replies')
  const first_reply_id = replies?.[0]?.id
  const last_reply_id = replies?.at(-1)?.id
  const isReady = isMember && hasUnread && hasLoadedReplies && last_event_id > 0
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
  return null
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
