import { useInfiniteQuery } from '@tanstack/react-query'
import type { InvitationSource } from './invitation-sources.ts'

/** Callers with the same query key share the request. */
export const useInvitations = ({ queryKey, fetchPage }: InvitationSource) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  })
