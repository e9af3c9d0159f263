import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { knownFollowings } from '#features/people/web/FollowButton.tsx'
import { api, apiPage } from '#web/api.ts'
import { isHttpError } from '#web/errors.ts'
import { listen } from '#web/realtime.ts'
import { useStore } from '#web/store.ts'
import { channels, type PostEvents, posts } from '../contract.ts'
import * as store from './post-store.ts'

const { postStore } = store

/** For queries whose answers go into the post store: it alone keeps them. */
const fetchOnly = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }

/**
 * A gap in the connection ends for all readers at the same time. They ask for what they missed at different
 * times within so many milliseconds.
 */
const SPREAD = 2000

let isListening = false

/**
 * Brings the events of all posts into the post store, from the first view of posts on for as long as the app
 * is open. A list that comes on the screen again has missed nothing then.
 */
function usePostEvents(enabled: boolean) {
  const client = useQueryClient()
  useEffect(() => {
    if (!enabled || isListening) return
    isListening = true
    listen(channels.posts.name, { subscribed: store.eventsBegan, events: eventHandlers(client) })
  }, [client, enabled])
}

const eventHandlers = (client: QueryClient) => ({
  PostCreated({ user_id, post }: PostEvents['PostCreated']) {
    const followings = knownFollowings(client)
    if (post) store.addPost(post, followings?.includes(user_id))
    // A server of an earlier version sends no post.
    else for (const path of postStore.get().lists.keys()) store.outdateList(path)
    if (!followings) store.outdateList(store.followedPosts)
  },
  PostLiked: ({ id, likes_count }: PostEvents['PostLiked']) =>
    store.likesUnderWay.has(id) || store.patchPost(id, { likes_count }),
  PostDeleted: ({ id }: PostEvents['PostDeleted']) => store.removePost(id),
})

/** Asks again for what is on the screen. */
export function refetchShown(client: QueryClient) {
  client.invalidateQueries({ queryKey: ['post list'] })
  client.invalidateQueries({ queryKey: ['one post'] })
}

/** Runs `ask` where what is on the screen may have missed events; `asOf` is as in the post store. */
function useCatchUp(asOf: number | undefined, ask: () => unknown) {
  const began = useStore(postStore, ({ began }) => began)
  const onOutdated = useEffectEvent(() => void ask())
  const isOutdated = asOf !== undefined && asOf < began
  const isNew = asOf === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again after another gap
  useEffect(() => {
    if (!isOutdated) return
    const timer = setTimeout(onOutdated, isNew ? 0 : Math.random() * SPREAD)
    return () => clearTimeout(timer)
  }, [isOutdated, isNew, began])
}

/** The list of posts at an address, and its rows: both are undefined until it is loaded. */
export function usePostList(path: string) {
  const list = useStore(postStore, ({ lists }) => lists.get(path))
  const known = useStore(postStore, ({ posts }) => posts)
  const shown = list?.shown
  const rows = useMemo(() => shown?.flatMap((id) => known.get(id) ?? []), [shown, known])
  const first = useQuery({
    queryKey: ['post list', path],
    queryFn: async ({ signal }) => {
      const { began } = postStore.get()
      const page = await apiPage(posts.list, {}, path)
      if (!signal.aborted) store.receiveFirstPage(path, page, began)
      return null
    },
    initialData: () => (list ? null : undefined),
    ...fetchOnly,
  })
  const from = list?.next ?? null
  const next = useQuery({
    queryKey: ['next posts', path, from],
    queryFn: async () => {
      const { began } = postStore.get()
      if (from) store.receiveNextPage(path, from, await apiPage(posts.list, {}, from), began)
      return null
    },
    enabled: false,
    ...fetchOnly,
  })
  usePostEvents(list !== undefined)
  // Also once after the first page of a visit: likes and deletions may have come before the events began.
  useCatchUp(list?.asOf, first.refetch)
  return { list, rows, first, next }
}

/** One post: undefined until it is loaded, null where there is none. */
export function usePost(id: number) {
  const post = useStore(postStore, ({ posts }) => posts.get(id))
  const asOf = useStore(postStore, ({ postsAsOf }) => postsAsOf.get(id))
  usePostEvents(true)
  const query = useQuery({
    queryKey: ['one post', id],
    queryFn: async ({ signal }) => {
      const { began } = postStore.get()
      const row = await api(posts.show, { id }).catch((error: unknown) => {
        if (isHttpError(error, 404) || isHttpError(error, 422)) return null
        throw error
      })
      if (signal.aborted) return null
      if (row) store.receivePosts([row], began)
      else store.removePost(id)
      return null
    },
    initialData: () => (post === undefined ? undefined : null),
    ...fetchOnly,
  })
  useCatchUp(post ? asOf : undefined, query.refetch)
  return { post, ...query }
}
