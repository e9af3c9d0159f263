import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { cachedFollowedIds } from '#features/people/web/followed-ids.ts'
import { callEndpoint, fetchPage } from '#web/api.ts'
import { hasStatus } from '#web/errors.ts'
import * as realtime from '#web/realtime.ts'
import { useStore } from '#web/store.ts'
import { type PostEvents, postChannels, postEndpoints } from '../contract.ts'
import * as store from './post-store.ts'

const { state } = store

/** For results that are kept only in the post store. */
const withoutCache = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }

/** Milliseconds. After an outage all readers reconnect at once, so each waits for a random part of it. */
const MAX_JITTER = 2000

export const pinnedKey = ['pinned posts']
export const bookmarksKey = ['bookmarks']

let isListening = false

/** Stays subscribed while the app is open, so that a list that is shown again has missed no event. */
export function usePostEvents(enabled: boolean) {
  const client = useQueryClient()
  useEffect(() => {
    if (!enabled || isListening) return
    isListening = true
    realtime.listen(postChannels.posts.name, {
      onSubscribed: store.markOutdated,
      events: eventHandlers(client),
    })
  }, [client, enabled])
}

/** `invalidateQueries` alone does not replace a first request that is running. */
const restart = (client: QueryClient, queryKey: string[]) =>
  client.cancelQueries({ queryKey }).then(() => client.invalidateQueries({ queryKey }))

const eventHandlers = (client: QueryClient) => ({
  PostCreated({ user_id, post }: PostEvents['PostCreated']) {
    const followings = cachedFollowedIds(client)
    if (post) store.addWaiting(post, followings?.includes(user_id))
    // A server of an earlier version sends no post.
    else for (const path of state.get().lists.keys()) store.invalidateList(path)
    if (!followings) store.invalidateList(store.followedPath)
  },
  PostLiked: ({ id, likes_count }: PostEvents['PostLiked']) =>
    store.pendingLikes.has(id) || store.patch(id, { likes_count }),
  PostChanged: ({ id, ...change }: PostEvents['PostChanged']) => store.patch(id, change),
  PostPinned({ id, pinned }: PostEvents['PostPinned']) {
    store.patch(id, { pinned })
    restart(client, pinnedKey)
  },
  PostBookmarked({ id, bookmarked }: PostEvents['PostBookmarked']) {
    store.patch(id, { bookmarked_by_me: bookmarked })
    restart(client, bookmarksKey)
  },
  PostDeleted: ({ id }: PostEvents['PostDeleted']) => store.remove(id),
  PostImagesRemoved: ({ ids }: PostEvents['PostImagesRemoved']) =>
    import('./ExpiredImagesNote.tsx').then((module) => module.removePictures(ids)),
})

export function refetchPosts(client: QueryClient) {
  client.invalidateQueries({ queryKey: ['post list'] })
  client.invalidateQueries({ queryKey: ['one post'] })
}

/** `dataEpoch` is `State.epoch` at the time of the request. */
export function useRefetchMissed(dataEpoch: number | undefined, refetch: () => unknown) {
  const epoch = useStore(state, ({ epoch }) => epoch)
  const onOutdated = useEffectEvent(() => void refetch())
  const isOutdated = dataEpoch !== undefined && dataEpoch < epoch
  const isNew = dataEpoch === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: refetches after another outage
  useEffect(() => {
    if (!isOutdated) return
    const timer = setTimeout(onOutdated, isNew ? 0 : Math.random() * MAX_JITTER)
    return () => clearTimeout(timer)
  }, [isOutdated, isNew, epoch])
}

/** `list` and its posts `rows` are undefined until the list is loaded. */
export function usePostList(path: string) {
  const list = useStore(state, ({ lists }) => lists.get(path))
  const postsById = useStore(state, ({ posts }) => posts)
  const shown = list?.shown
  const rows = useMemo(() => shown?.flatMap((id) => postsById.get(id) ?? []), [shown, postsById])
  const firstPage = useQuery({
    queryKey: ['post list', path],
    queryFn: ({ signal }) =>
      store.load(async () => {
        const { epoch } = state.get()
        const page = await fetchPage(postEndpoints.list, {}, path)
        if (!signal.aborted) store.mergeFirstPage(path, page, epoch)
        return null
      }),
    initialData: () => (list ? null : undefined),
    ...withoutCache,
  })
  const nextUrl = list?.nextUrl ?? null
  const nextPage = useQuery({
    queryKey: ['next posts', path, nextUrl],
    queryFn: () =>
      store.load(async () => {
        const { epoch } = state.get()
        if (nextUrl) store.addNextPage(path, nextUrl, await fetchPage(postEndpoints.list, {}, nextUrl), epoch)
        return null
      }),
    enabled: false,
    ...withoutCache,
  })
  usePostEvents(list !== undefined)
  // After an outage, and once after the first page of a visit: posts may have been liked or deleted before
  // the subscription began.
  useRefetchMissed(list?.epoch, firstPage.refetch)
  return { list, rows, firstPage, nextPage }
}

/** `post` is undefined until it is loaded, and null if the reader may not see it. */
export function usePost(id: number) {
  const post = useStore(state, ({ posts }) => posts.get(id))
  const dataEpoch = useStore(state, ({ postEpochs }) => postEpochs.get(id))
  usePostEvents(true)
  const query = useQuery({
    queryKey: ['one post', id],
    queryFn: ({ signal }) =>
      store.load(async () => {
        const { epoch } = state.get()
        const row = await callEndpoint(postEndpoints.show, { id }).catch((error: unknown) => {
          if (hasStatus(error, 404) || hasStatus(error, 422)) return null
          throw error
        })
        if (signal.aborted) return null
        if (row) store.put([row], epoch)
        else store.remove(id)
        return null
      }),
    initialData: () => (post === undefined ? undefined : null),
    ...withoutCache,
  })
  useRefetchMissed(post ? dataEpoch : undefined, query.refetch)
  return { post, ...query }
}
