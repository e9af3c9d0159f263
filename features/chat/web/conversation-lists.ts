import { useQuery } from '@tanstack/react-query'
import type { Endpoint } from '#core/contract.ts'
import { type ListedUser, type Person, peopleEndpoints } from '#features/people/contract.ts'
import { type FetchedListPage, fetchListPage } from '#web/api.ts'
import { useStore } from '#web/store.ts'
import type { ListedPrivateChat } from '../contract.ts'
import type { ListedJoinedGroup } from '../group-contract.ts'
import { type ChatPartnerOrGroupRef, chatStateStore, setConversationList } from './chat-state.ts'
import {
  conversationListChanges,
  conversationListEndpoints,
  findInitialRows,
  toConversationListQueryKey,
  toListedConversation,
} from './chat-sync.ts'

// This file has the queries that load the lists of conversations. Only lists need it, so pages without a list
// do not load it.

type Kind = ChatPartnerOrGroupRef['kind']

const MAX_PAGES = 20
const QUERY_OPTIONS = { staleTime: 30_000, gcTime: Number.POSITIVE_INFINITY }

/** Loads all pages of a list from an endpoint, at most `MAX_PAGES`. A user usually has only a few. */
async function fetchAllPages<T>(endpoint: Endpoint) {
  const all: T[] = []
  let from: string | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = (await fetchListPage(endpoint, {}, from)) as FetchedListPage<T[]>
    all.push(...page.rows)
    from = page.next
    if (!from) break
  }
  return all
}

/** Returns the list entry of a private chat with this person that has no messages yet. */
export const toEmptyPrivateChatEntry = (user: Person) =>
  toListedConversation({ user, followed: true, last_message: null })

/**
 * Returns the list of the current user's private chats or groups. The query only loads the rows. The rows are
 * stored in the chat state, so that live events can change them. Returns no rows before the query has
 * succeeded, because the chat state may still have the rows of another user.
 */
export function useConversationListOfKind(kind: Kind, enabled = true) {
  const { data, error, isFetching, refetch } = useQuery({
    enabled,
    queryKey: toConversationListQueryKey(kind),
    queryFn: ({ signal }) =>
      conversationListChanges.load(async () => {
        const rows = await fetchAllPages<ListedPrivateChat | ListedJoinedGroup>(
          conversationListEndpoints[kind],
        )
        // Drops the response if the request was cancelled, because another user may have logged in meanwhile.
        signal.throwIfAborted()
        setConversationList(kind, rows.map(toListedConversation))
        return true
      }),
    ...QUERY_OPTIONS,
  })
  const list = useStore(chatStateStore, ({ lists }) => lists[kind])
  return { rows: data ? list : undefined, error, isFetching, refetch }
}

export const useFollowedUsersQuery = (enabled: boolean) =>
  useQuery({
    enabled,
    queryKey: [peopleEndpoints.followedUsers.path],
    queryFn: () => fetchAllPages<ListedUser>(peopleEndpoints.followedUsers),
    initialData: () => findInitialRows<ListedUser>(peopleEndpoints.followedUsers),
    ...QUERY_OPTIONS,
  })
