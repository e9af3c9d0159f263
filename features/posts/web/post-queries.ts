import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { findCachedFollowedIds } from '#features/people/web/followed-ids.ts'
import { callEndpoint, fetchListPage } from '#web/api.ts'
import { isErrorWithStatus } from '#web/errors.ts'
import { listenToChannel } from '#web/realtime.ts'
import { useStore } from '#web/store.ts'
import { type PostChannelEventDataByName, postChannelDefinitions, postEndpoints } from '../contract.ts'
import * as store from './post-store.ts'

const { postStore } = store

/**
 * The options of queries whose results are not cached in the query client, because they are kept only in the
 * post store.
 */
const withoutCache = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }

/**
 * The maximum delay in milliseconds before a page fetches again after an outage. All readers reconnect at the
 * same time then, so each page waits for a random part of this delay.
 */
const MAX_JITTER = 2000

/** The query keys of the pinned posts and of the reader's bookmarks. */
export const pinnedPostsQueryKey = ['pinned posts']
export const bookmarksQueryKey = ['bookmarks']

let isListening = false

/**
 * Subscribes to the live events of posts when the first component that shows posts is mounted. Stays
 * subscribed while the app is open, so that a list that is shown again has missed no event.
 */
export function useSubscribePostStoreToLiveEvents(enabled: boolean) {
  const client = useQueryClient()
  useEffect(() => {
    if (!enabled || isListening) return
    isListening = true
    listenToChannel(postChannelDefinitions.posts.name, {
      onSubscribed: store.markAllLoadedPostsOutdated,
      events: eventHandlers(client),
    })
  }, [client, enabled])
}

/** Fetches again. `invalidateQueries` alone does not replace a first request that is running. */
const restart = (client: QueryClient, queryKey: string[]) =>
  client.cancelQueries({ queryKey }).then(() => client.invalidateQueries({ queryKey }))

const eventHandlers = (client: QueryClient) => ({
  PostCreated({ user_id, post }: PostChannelEventDataByName['PostCreated']) {
    const followings = findCachedFollowedIds(client)
    if (post) store.addNotYetShownPostToLists(post, followings?.includes(user_id))
    // Fetches all lists again if the event contains no post, because a server of an earlier version sent it.
    else for (const path of postStore.get().lists.keys()) store.invalidatePostList(path)
    if (!followings) store.invalidatePostList(store.postsByFollowedPeopleApiPath)
  },
  PostLiked: ({ id, likes_count }: PostChannelEventDataByName['PostLiked']) =>
    store.pendingLikesAndUnlikesByPostId.has(id) || store.patchPostInStore(id, { likes_count }),
  PostChanged: ({ id, ...change }: PostChannelEventDataByName['PostChanged']) =>
    store.patchPostInStore(id, change),
  PostPinned({ id, pinned }: PostChannelEventDataByName['PostPinned']) {
    store.patchPostInStore(id, { pinned })
    restart(client, pinnedPostsQueryKey)
  },
  PostBookmarked({ id, bookmarked }: PostChannelEventDataByName['PostBookmarked']) {
    store.patchPostInStore(id, { bookmarked_by_me: bookmarked })
    restart(client, bookmarksQueryKey)
  },
  PostDeleted: ({ id }: PostChannelEventDataByName['PostDeleted']) => store.removeDeletedPostFromStore(id),
  PostImagesRemoved: ({ ids }: PostChannelEventDataByName['PostImagesRemoved']) =>
    import('./ExpiredImagesNote.tsx').then((module) => module.removePostImagesFromStore(ids)),
})

/** Fetches the lists of posts and the single posts that are on the screen again. */
export function refetchPostsOnScreen(client: QueryClient) {
  client.invalidateQueries({ queryKey: ['post list'] })
  client.invalidateQueries({ queryKey: ['one post'] })
}

/**
 * Calls `refetch` if the shown posts may have missed events since they were requested. `dataEpoch` is the
 * value of `State.epoch` at the time of the request.
 */
export function useRefetchAfterMissedPostEvents(dataEpoch: number | undefined, refetch: () => unknown) {
  const epoch = useStore(postStore, ({ epoch }) => epoch)
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

/**
 * Returns the list of posts at an API path as `list`, its posts as `rows`, and the queries that load its
 * first and its next page. `list` and `rows` are undefined until the list is loaded.
 */
export function usePostList(path: string) {
  const list = useStore(postStore, ({ lists }) => lists.get(path))
  const postsById = useStore(postStore, ({ posts }) => posts)
  const shown = list?.shown
  const rows = useMemo(() => shown?.flatMap((id) => postsById.get(id) ?? []), [shown, postsById])
  const firstPage = useQuery({
    queryKey: ['post list', path],
    queryFn: ({ signal }) =>
      store.loadPosts(async () => {
        const { epoch } = postStore.get()
        const page = await fetchListPage(postEndpoints.list, {}, path)
        if (!signal.aborted) store.mergeFirstPageOfPostList(path, page, epoch)
        return null
      }),
    initialData: () => (list ? null : undefined),
    ...withoutCache,
  })
  const nextUrl = list?.nextUrl ?? null
  const nextPage = useQuery({
    queryKey: ['next posts', path, nextUrl],
    queryFn: () =>
      store.loadPosts(async () => {
        const { epoch } = postStore.get()
        if (nextUrl)
          store.storeNextPageOfPostList(
            path,
            nextUrl,
            await fetchListPage(postEndpoints.list, {}, nextUrl),
            epoch,
          )
        return null
      }),
    enabled: false,
    ...withoutCache,
  })
  useSubscribePostStoreToLiveEvents(list !== undefined)
  // Fetches the first page again after an outage, and once after the first page of a visit, because posts may
  // have been liked or deleted before the subscription began.
  useRefetchAfterMissedPostEvents(list?.epoch, firstPage.refetch)
  return { list, rows, firstPage, nextPage }
}

/**
 * Returns one post as `post`, and the query that loads it. `post` is undefined until the post is loaded, and
 * null if it does not exist or the reader may not see it.
 */
export function usePost(id: number) {
  const post = useStore(postStore, ({ posts }) => posts.get(id))
  const dataEpoch = useStore(postStore, ({ postEpochs }) => postEpochs.get(id))
  useSubscribePostStoreToLiveEvents(true)
  const query = useQuery({
    queryKey: ['one post', id],
    queryFn: ({ signal }) =>
      store.loadPosts(async () => {
        const { epoch } = postStore.get()
        const row = await callEndpoint(postEndpoints.show, { id }).catch((error: unknown) => {
          if (isErrorWithStatus(error, 404) || isErrorWithStatus(error, 422)) return null
          throw error
        })
        if (signal.aborted) return null
        if (row) store.storeFetchedPosts([row], epoch)
        else store.removeDeletedPostFromStore(id)
        return null
      }),
    initialData: () => (post === undefined ? undefined : null),
    ...withoutCache,
  })
  useRefetchAfterMissedPostEvents(post ? dataEpoch : undefined, query.refetch)
  return { post, ...query }
}
