import { useQuery } from '@tanstack/react-query'
import { groupEndpoints } from '#features/chat/group-contract.ts'
import { callEndpoint } from '#web/api.ts'
import { hasPageAtPath } from '#web/views.tsx'

/** Returns the groups of the admin; none while they load, and if the chat does not run. */
export function useOwnGroups() {
  const { data } = useQuery({
    queryKey: ['own groups', groupEndpoints.mine.path],
    queryFn: () => callEndpoint(groupEndpoints.mine, {}),
    enabled: hasPageAtPath('/my-groups'),
  })
  return data ?? []
}
