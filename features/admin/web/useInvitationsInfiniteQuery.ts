import { useInfiniteQuery } from '@tanstack/react-query'
import type { InvitationListApi } from './invitation-sources.ts'

/**
 * Fetches the invitations page by page, with the functions of the given `InvitationListApi`. Callers with the
 * same query key share the request.
 */
export const useInvitationsInfiniteQuery = ({ queryKey, fetchPage }: InvitationListApi) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  })
