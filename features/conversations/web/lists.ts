import { useQuery } from '@tanstack/react-query'
import type { Endpoint } from '#core/contract.ts'
import { type ListedUser, type Person, peopleEndpoints } from '#features/people/contract.ts'
import { fetchPage, type ListPage } from '#web/api.ts'
import { useStore } from '#web/store.ts'
import type { ListedChat, ListedGroup } from '../contract.ts'
import type { ConversationRef } from './state.ts'
import * as chatState from './state.ts'
import * as chatSync from './sync.ts'

// Pages without a list do not load this code.

type Kind = ConversationRef['kind']

const MAX_PAGES = 20
const QUERY_OPTIONS = { staleTime: 30_000, gcTime: Number.POSITIVE_INFINITY }

/** At most `MAX_PAGES`; a user usually has only a few. */
async function fetchAllPages<T>(endpoint: Endpoint) {
  const all: T[] = []
  let from: string | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = (await fetchPage(endpoint, {}, from)) as ListPage<T[]>
    all.push(...page.rows)
    from = page.next
    if (!from) break
  }
  return all
}

export const toEmptyChat = (user: Person) => chatSync.toListed({ user, followed: true, last_message: null })

/**
 * The rows are stored in the chat state, so that live events can change them. Returns none before the query
 * has succeeded, because the state may still have the rows of another user.
 */
export function useConversations(kind: Kind, enabled = true) {
  const { data, error, isFetching, refetch } = useQuery({
    enabled,
    queryKey: chatSync.listKey(kind),
    queryFn: ({ signal }) =>
      chatSync.listChanges.load(async () => {
        const rows = await fetchAllPages<ListedChat | ListedGroup>(chatSync.listEndpoints[kind])
        // Another user may have logged in since the request was cancelled.
        signal.throwIfAborted()
        chatState.setList(kind, rows.map(chatSync.toListed))
        return true
      }),
    ...QUERY_OPTIONS,
  })
  const list = useStore(chatState.store, ({ lists }) => lists[kind])
  return { rows: data ? list : undefined, error, isFetching, refetch }
}

export const useFollowedUsers = (enabled: boolean) =>
  useQuery({
    enabled,
    queryKey: [peopleEndpoints.followedUsers.path],
    queryFn: () => fetchAllPages<ListedUser>(peopleEndpoints.followedUsers),
    initialData: () => chatSync.findInitialRows<ListedUser>(peopleEndpoints.followedUsers),
    ...QUERY_OPTIONS,
  })
