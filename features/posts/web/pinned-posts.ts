import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { callEndpoint } from '#web/api.ts'
import { findAnswer } from '#web/page-data.ts'
import { useStore } from '#web/store.ts'
import { type Post, pinEndpoints } from '../contract.ts'
import { pinnedKey, useRefetchMissed } from './post-queries.ts'
import * as store from './post-store.ts'

const idsOf = (posts: readonly Post[]) => posts.map(({ id }) => id)

/** For the community if `group` is undefined, the newest pin first. */
export function usePinnedPosts(group?: number) {
  const postsById = useStore(store.state, ({ posts }) => posts)
  const first = group === undefined ? findAnswer(pinEndpoints.list) : undefined
  const { data, refetch, ...query } = useQuery({
    queryKey: [...pinnedKey, group],
    queryFn: () =>
      store.load(async () => {
        const { epoch } = store.state.get()
        const posts = await callEndpoint(pinEndpoints.list, {
          ...(group !== undefined && { group_id: group }),
        })
        store.put(posts, epoch)
        return { ids: idsOf(posts), epoch }
      }),
    // Only the ids: the content of the posts is in the post store already. The list of posts, fetched again
    // after the first subscription, says which of them are no longer pinned.
    initialData: () => first && { ids: idsOf(first.body as Post[]), epoch: 1 },
    staleTime: first ? 30_000 : 0,
  })
  useRefetchMissed(data?.epoch, refetch)
  const ids = data?.ids
  const posts = useMemo(
    () => ids?.flatMap((id) => postsById.get(id) ?? []).filter(({ pinned }) => pinned),
    [ids, postsById],
  )
  return { ...query, posts, refetch }
}
