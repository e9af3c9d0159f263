import { useQuery } from '@tanstack/react-query'
import { groupEndpoints } from '#features/chat/group-contract.ts'
import { callEndpoint } from '#web/api.ts'
import { hasPageAtPath } from '#web/views.tsx'

/**
 * Returns the groups in which the current user is a member. Returns an empty list while they are loaded, or
 * if the chat feature does not run.
 */
export function useMyGroups() {
  const { data } = useQuery({
    queryKey: ['own groups', groupEndpoints.mine.path],
    queryFn: () => callEndpoint(groupEndpoints.mine, {}),
    enabled: hasPageAtPath('/my-groups'),
  })
  return data ?? []
}
