import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { knownFollowings } from '#features/people/web/FollowButton.tsx'
import { api, apiPage } from '#web/api.ts'
import { isHttpError } from '#web/errors.ts'
import { useChannel } from '#web/realtime.ts'
import { useStore } from '#web/store.ts'
import { channels, type PostEvents, posts } from '../contract.ts'
import * as store from './post-store.ts'

const listKey = (path: string) => ['post list', path]
const postKey = (id: number) => ['one post', id]
/** For queries whose answers go into the post store: it alone keeps them. */
const fetchOnly = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }

/** Every reader gets an event at the same time. They fetch at different times within so many milliseconds. */
const SPREAD = 2000
const timers = new Map<string, ReturnType<typeof setTimeout>>()

/** Fetches a list again within two seconds, if it is on the screen then. */
function refetchSoon(client: QueryClient, path: string) {
  clearTimeout(timers.get(path))
  const refetch = () => client.invalidateQueries({ queryKey: listKey(path) })
  timers.set(path, setTimeout(refetch, Math.random() * SPREAD))
}

/** Fetches again what is on the screen. */
export function refetchShown(client: QueryClient) {
  client.invalidateQueries({ queryKey: ['post list'] })
  client.invalidateQueries({ queryKey: ['one post'] })
}

/**
 * Brings the events of all posts into the post store, for the view on the screen.
 * `onGap` is called when the events begin, and again after each lost connection: fetch there what was missed.
 */
function usePostEvents(enabled: boolean, onGap: () => unknown) {
  const client = useQueryClient()
  useChannel(enabled ? channels.posts.name : null, {
    subscribed: () => void onGap(),
    events: {
      PostCreated({ user_id, post }: PostEvents['PostCreated']) {
        const followings = knownFollowings(client)
        if (post) store.addPost(post, followings?.includes(user_id))
        // A server of an earlier version sends no post.
        else for (const path of store.postStore.get().lists.keys()) refetchSoon(client, path)
        if (!followings) refetchSoon(client, store.followedPosts)
      },
      PostLiked: ({ id, likes_count }: PostEvents['PostLiked']) =>
        store.likesUnderWay.has(id) || store.patchPost(id, { likes_count }),
      PostDeleted: ({ id }: PostEvents['PostDeleted']) => store.removePost(id),
    },
  })
}

/** The list of posts at an address, and its rows: both are undefined until it is loaded. */
export function usePostList(path: string) {
  const client = useQueryClient()
  const list = useStore(store.postStore, ({ lists }) => lists.get(path))
  const known = useStore(store.postStore, (state) => state.posts)
  const shown = list?.shown
  const rows = useMemo(() => shown?.flatMap((id) => known.get(id) ?? []), [shown, known])
  const first = useQuery({
    queryKey: listKey(path),
    queryFn: async ({ signal }) => {
      const page = await apiPage(posts.list, {}, path)
      if (!signal.aborted) store.receiveFirstPage(path, page)
      return null
    },
    initialData: () => (list ? null : undefined),
    ...fetchOnly,
  })
  const from = list?.next ?? null
  const next = useQuery({
    queryKey: ['next posts', path, from],
    queryFn: async () => {
      if (from) store.receiveNextPage(path, from, await apiPage(posts.list, {}, from))
      return null
    },
    enabled: false,
    ...fetchOnly,
  })
  usePostEvents(list !== undefined, async () => {
    if (!list?.fromPage) return refetchSoon(client, path)
    // The list came inside the page a second ago: only newer posts are missing.
    const newer = await apiPage(posts.list, {}, `${path}?after=${list.newestFetched}`).catch(() => null)
    if (newer) store.receiveFirstPage(path, newer)
  })
  return { list, rows, first, next }
}

/** One post: undefined until it is loaded, null where there is none. */
export function usePost(id: number) {
  const client = useQueryClient()
  const post = useStore(store.postStore, (state) => state.posts.get(id))
  usePostEvents(true, () => client.invalidateQueries({ queryKey: postKey(id) }))
  const query = useQuery({
    queryKey: postKey(id),
    queryFn: async ({ signal }) => {
      const row = await api(posts.show, { id }).catch((error: unknown) => {
        if (isHttpError(error, 404) || isHttpError(error, 422)) return null
        throw error
      })
      if (signal.aborted) return null
      if (row) store.receivePosts([row])
      else store.removePost(id)
      return null
    },
    initialData: () => (post === undefined ? undefined : null),
    ...fetchOnly,
  })
  return { post, ...query }
}
