import { type QueryClient, useQuery } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { findAnswer } from '#web/page-data.ts'
import { peopleEndpoints } from '../contract.ts'

export const followedIdsKey = [peopleEndpoints.followings.path]

export const useFollowedIds = (enabled = true) =>
  useQuery({
    queryKey: followedIdsKey,
    queryFn: () => callEndpoint(peopleEndpoints.followings, {}),
    initialData: () => findAnswer(peopleEndpoints.followings)?.body as number[] | undefined,
    enabled,
  })

/** Undefined if they are not loaded. */
export const cachedFollowedIds = (client: QueryClient) => client.getQueryData<number[]>(followedIdsKey)
