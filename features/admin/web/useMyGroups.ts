import { useQuery } from '@tanstack/react-query'
import { conversationEndpoints } from '#features/conversations/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { hasPage } from '#web/views.tsx'

/** Empty while they are loaded, and if the chat feature does not run. */
export function useMyGroups() {
  const { data } = useQuery({
    queryKey: ['own groups', conversationEndpoints.groups.path],
    queryFn: () => callEndpoint(conversationEndpoints.groups, {}),
    enabled: hasPage('/my-groups'),
  })
  return data ?? []
}
