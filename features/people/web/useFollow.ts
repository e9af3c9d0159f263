import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { notifyMeChange } from '#web/me.ts'
import { peopleEndpoints } from '../contract.ts'
import { followedIdsKey } from './followed-ids.ts'

interface Options {
  id: number
  /** Then `mutate` ends it. */
  isFollowing: boolean
  onDone?: () => unknown
  onError?: (error: unknown) => void
}

export function useFollow({ id, isFollowing, onDone, onError }: Options) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await (isFollowing
        ? callEndpoint(peopleEndpoints.unfollow, { id })
        : callEndpoint(peopleEndpoints.follow, { id }))
      // Responses of running requests would restore the old list.
      await client.cancelQueries({ queryKey: followedIdsKey })
    },
    onSuccess: () => {
      onDone?.()
      client.setQueryData<number[]>(followedIdsKey, (ids = []) =>
        isFollowing ? ids.filter((one) => one !== id) : [...new Set([...ids, id])],
      )
      notifyMeChange('followings')
      // Queries with “/following” in their key depend on the people whom the member follows.
      client.removeQueries({
        type: 'inactive',
        predicate: ({ queryKey }) => queryKey.some((part) => /\/following/.test(String(part))),
      })
    },
    ...(onError && { onError }),
  })
}
