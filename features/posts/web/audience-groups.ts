import { useQuery } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { postEndpoints } from '../contract.ts'

export const useAudienceGroups = (enabled: boolean) =>
  useQuery({
    queryKey: [postEndpoints.audienceGroups.path],
    queryFn: () => callEndpoint(postEndpoints.audienceGroups, {}),
    enabled,
  })
