import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { fetchListPage } from '#web/api.ts'
import { groupEndpoints } from '../group-contract.ts'

const toQueryKey = (group: number) => [groupEndpoints.members.path, group, 'all']

/**
 * Returns the loaded members of a group as `rows`. `fetchNextPage` loads more members, and `reload` loads the
 * list again.
 */
export function useGroupMembers(group: number) {
  const client = useQueryClient()
  const query = useInfiniteQuery({
    queryKey: toQueryKey(group),
    queryFn: ({ pageParam }) => fetchListPage(groupEndpoints.members, { id: group }, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  })
  return {
    ...query,
    rows: query.data?.pages.flatMap((page) => page.rows),
    reload: () => client.invalidateQueries({ queryKey: toQueryKey(group) }),
  }
}
