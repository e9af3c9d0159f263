import { type QueryClient, useQuery } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { findInitialEndpointResponse } from '#web/page-data.ts'
import { peopleEndpoints } from '../contract.ts'

/** The key of the query for the ids of the people whom the current member follows. */
export const followedIdsQueryKey = [peopleEndpoints.followings.path]

/** Returns the query that loads the ids of the people whom the current member follows. */
export const useFollowedIdsQuery = (enabled = true) =>
  useQuery({
    queryKey: followedIdsQueryKey,
    queryFn: () => callEndpoint(peopleEndpoints.followings, {}),
    initialData: () => findInitialEndpointResponse(peopleEndpoints.followings)?.body as number[] | undefined,
    enabled,
  })

/**
 * Returns the ids of the followed people from the query cache, without a request; undefined if they are not
 * loaded.
 */
export const findCachedFollowedIds = (client: QueryClient) =>
  client.getQueryData<number[]>(followedIdsQueryKey)
