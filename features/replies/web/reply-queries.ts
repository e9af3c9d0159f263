import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { fetchPage } from '#web/api.ts'
import { useStore } from '#web/store.ts'
import { replyEndpoints } from '../contract.ts'
import * as store from './reply-store.ts'

/** For results that are kept only in the reply store. */
const withoutCache = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }
/** Milliseconds. After an outage all readers reconnect at once, so each waits for a random part of it. */
const MAX_JITTER = 2000

/** `loaded` is undefined until the newest replies have been loaded. */
export function useReplies(post: number) {
  const loaded = useStore(store.state, ({ posts }) => posts.get(post))
  const epoch = useStore(store.state, (state) => state.epoch)
  useEffect(store.subscribe, [])
  const newest = useQuery({
    queryKey: ['replies', post],
    queryFn: ({ signal }) =>
      store.load(async () => {
        const { epoch } = store.state.get()
        const page = await fetchPage(replyEndpoints.list, { id: post })
        if (!signal.aborted) store.mergeNewest(post, page, epoch)
        return null
      }),
    ...withoutCache,
  })
  const earlierUrl = loaded?.earlierUrl ?? null
  const earlier = useQuery({
    queryKey: ['earlier replies', post, earlierUrl],
    queryFn: () =>
      store.load(async () => {
        if (!earlierUrl) return null
        const page = await fetchPage(replyEndpoints.list, { id: post }, earlierUrl)
        const firstReply = document.querySelector('article[data-reply]')
        store.keepInPlace(firstReply, () => store.addEarlier(post, earlierUrl, page))
        return null
      }),
    enabled: false,
    ...withoutCache,
  })
  // The page may have missed events before the subscription succeeded. At once after the first subscription,
  // and after a random delay when the connection was interrupted.
  const refetch = useEffectEvent(() => void newest.refetch())
  const isOutdated = loaded !== undefined && loaded.epoch < epoch
  useEffect(() => {
    if (!isOutdated) return
    const timer = setTimeout(refetch, epoch === 1 ? 0 : Math.random() * MAX_JITTER)
    return () => clearTimeout(timer)
  }, [isOutdated, epoch])
  return { loaded, newest, earlier }
}
