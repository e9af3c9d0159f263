import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { callEndpoint } from '#web/api.ts'
import { findInitialEndpointResponse } from '#web/page-data.ts'
import { useStore } from '#web/store.ts'
import type { Post } from '../contract.ts'
import { postPinEndpoints } from '../pin-contract.ts'
import { pinnedPostsQueryKey, useRefetchAfterMissedPostEvents } from './post-queries.ts'
import { loadPosts, postStore, storeFetchedPosts } from './post-store.ts'

const idsOf = (posts: readonly Post[]) => posts.map(({ id }) => id)

/**
 * Returns the query for the pinned posts of a group, or of the community if `group` is undefined. The posts
 * themselves are in `posts`, the newest pin first.
 */
export function usePinnedPostsOfGroupOrCommunity(group?: number) {
  const postsById = useStore(postStore, ({ posts }) => posts)
  const first = group === undefined ? findInitialEndpointResponse(postPinEndpoints.list) : undefined
  const { data, refetch, ...query } = useQuery({
    queryKey: [...pinnedPostsQueryKey, group],
    queryFn: () =>
      loadPosts(async () => {
        const { epoch } = postStore.get()
        const posts = await callEndpoint(postPinEndpoints.list, {
          ...(group !== undefined && { group_id: group }),
        })
        storeFetchedPosts(posts, epoch)
        return { ids: idsOf(posts), epoch }
      }),
    // Needs only the ids of the pinned posts in the HTML page, because their content is in the post store
    // already. The list of posts is fetched again after the first subscription, and then says which of them
    // are no longer pinned.
    initialData: () => first && { ids: idsOf(first.body as Post[]), epoch: 1 },
    staleTime: first ? 30_000 : 0,
  })
  useRefetchAfterMissedPostEvents(data?.epoch, refetch)
  const ids = data?.ids
  const posts = useMemo(
    () => ids?.flatMap((id) => postsById.get(id) ?? []).filter(({ pinned }) => pinned),
    [ids, postsById],
  )
  return { ...query, posts, refetch }
}
