import { useQuery } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { postEndpoints } from '../contract.ts'

/** Loads the groups of the member, which can be the audience of a post. */
export const usePostAudienceGroupsQuery = (enabled: boolean) =>
  useQuery({
    queryKey: [postEndpoints.audienceGroups.path],
    queryFn: () => callEndpoint(postEndpoints.audienceGroups, {}),
    enabled,
  })
