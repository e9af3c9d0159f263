import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { fetchPage } from '#web/api.ts'
import { groupEndpoints } from '../contract.ts'

const toQueryKey = (group: number) => [groupEndpoints.members.path, group, 'all']

export function useGroupMembers(group: number) {
  const client = useQueryClient()
  const query = useInfiniteQuery({
    queryKey: toQueryKey(group),
    queryFn: ({ pageParam }) => fetchPage(groupEndpoints.members, { id: group }, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  })
  return {
    ...query,
    rows: query.data?.pages.flatMap((page) => page.rows),
    reload: () => client.invalidateQueries({ queryKey: toQueryKey(group) }),
  }
}
