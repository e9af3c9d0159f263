import { useInfiniteQuery } from '@tanstack/react-query'
import type { InvitationListApi } from './invitation-sources.ts'

/** Fetches the invitations of a source, page by page. Callers with the same source share the request. */
export const useInvitationsQuery = ({ queryKey, fetchPage }: InvitationListApi) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  })
