import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { fetchListPage } from '#web/api.ts'
import { useStore } from '#web/store.ts'
import { replyEndpoints } from '../contract.ts'
import * as store from './reply-store.ts'

/**
 * The options of queries whose results are not cached in the query client, because they are kept only in the
 * reply store.
 */
const withoutCache = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }
/**
 * The maximum delay in milliseconds before a page fetches again after an outage. All readers reconnect at the
 * same time then, so each page waits for a random part of this delay.
 */
const MAX_JITTER = 2000

/**
 * Returns the loaded replies to a post as `loaded`, and the queries that load the newest and the earlier
 * replies. `loaded` is undefined until the newest replies have been loaded.
 */
export function useRepliesToPost(post: number) {
  const loaded = useStore(store.replyStore, ({ posts }) => posts.get(post))
  const epoch = useStore(store.replyStore, (state) => state.epoch)
  useEffect(store.subscribeReplyStoreToLiveEvents, [])
  const newest = useQuery({
    queryKey: ['replies', post],
    queryFn: ({ signal }) =>
      store.loadReplies(async () => {
        const { epoch } = store.replyStore.get()
        const page = await fetchListPage(replyEndpoints.list, { id: post })
        if (!signal.aborted) store.mergeNewestRepliesIntoStore(post, page, epoch)
        return null
      }),
    ...withoutCache,
  })
  const earlierUrl = loaded?.earlierUrl ?? null
  const earlier = useQuery({
    queryKey: ['earlier replies', post, earlierUrl],
    queryFn: () =>
      store.loadReplies(async () => {
        if (!earlierUrl) return null
        const page = await fetchListPage(replyEndpoints.list, { id: post }, earlierUrl)
        const firstReply = document.querySelector('article[data-reply]')
        store.changeDomKeepingElementInPlace(firstReply, () =>
          store.addEarlierRepliesToStore(post, earlierUrl, page),
        )
        return null
      }),
    enabled: false,
    ...withoutCache,
  })
  // Fetches the newest replies again if they were requested before the subscription to live events succeeded,
  // because the page may have missed events. Does this at once after the first subscription, and after a
  // random delay when the connection was interrupted.
  const refetch = useEffectEvent(() => void newest.refetch())
  const isOutdated = loaded !== undefined && loaded.epoch < epoch
  useEffect(() => {
    if (!isOutdated) return
    const timer = setTimeout(refetch, epoch === 1 ? 0 : Math.random() * MAX_JITTER)
    return () => clearTimeout(timer)
  }, [isOutdated, epoch])
  return { loaded, newest, earlier }
}
