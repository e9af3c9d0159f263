import { useInfiniteQuery } from '@tanstack/react-query'
import type { InvitationPageFunctionsAndLimits } from './invitation-sources.ts'

/**
 * Fetches the invitations page by page, with the functions of the given `InvitationPageFunctionsAndLimits`.
 * Callers with the same query key share the request.
 */
export const useInvitationsInfiniteQuery = ({ queryKey, fetchPage }: InvitationPageFunctionsAndLimits) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  })
