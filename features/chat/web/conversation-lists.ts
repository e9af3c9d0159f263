import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { Endpoint } from '#core/contract.ts'
import { type Listed, type Person, people } from '#features/people/contract.ts'
import { api, apiPage, type Rows } from '#web/api.ts'
import { initialAnswer } from '#web/page-data.ts'
import { useStore } from '#web/store.ts'
import { type Conversation, chat, groups, type MyGroup } from '../contract.ts'
import { type ConversationRef, chatState, type ListedConversation, setList } from './chat-state.ts'

type Kind = ConversationRef['kind']

const MOST_PAGES = 20
const OPTIONS = { staleTime: 30_000, gcTime: Number.POSITIVE_INFINITY }

/** Loads all pages of a list: one user has a few. */
async function allPages<T>(fetchPage: (from: string | null) => Promise<Rows<T[]>>) {
  const all: T[] = []
  let from: string | null = null
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page: Rows<T[]> = await fetchPage(from)
    all.push(...page.rows)
    from = page.next
    if (!from) break
  }
  return all
}

/** What the page itself brought, unless that is only the first of several pages. */
function initialRows<T>(endpoint: Endpoint) {
  const answer = initialAnswer(endpoint)
  return answer && !answer.next ? (answer.body as T[]) : undefined
}

const fromConversation = ({ user, last_message }: Conversation): ListedConversation => ({
  kind: 'private',
  id: user.id,
  name: user.name,
  person: user,
  membersCount: 2,
  last: last_message,
})
/** A private chat that nobody has written in. */
export const withoutMessages = (user: Person) =>
  fromConversation({ user, followed: true, last_message: null })
const fromGroup = ({ id, name, members_count, last_message }: MyGroup): ListedConversation => ({
  kind: 'groups',
  id,
  name,
  person: null,
  membersCount: members_count,
  last: last_message,
})

const sources = {
  private: {
    queryKey: [chat.conversations.path],
    initial: () => initialRows<Conversation>(chat.conversations)?.map(fromConversation),
    fetch: async () =>
      (await allPages<Conversation>((from) => apiPage(chat.conversations, {}, from))).map(fromConversation),
  },
  groups: {
    queryKey: [groups.mine.path],
    initial: () => initialRows<MyGroup>(groups.mine)?.map(fromGroup),
    fetch: async () => (await api(groups.mine, {})).map(fromGroup),
  },
}
const kinds = ['private', 'groups'] as const

/** Takes over the lists that the page itself brought. */
export function setInitialLists(client: QueryClient) {
  for (const kind of kinds) {
    const { queryKey, initial } = sources[kind]
    const list = initial()
    if (!list) continue
    setList(kind, list)
    client.setQueryData(queryKey, true)
  }
}

/** Loads a list again where it is shown, and else when it is shown next. */
export const reloadList = (client: QueryClient, kind: Kind) =>
  void client.invalidateQueries({ queryKey: sources[kind].queryKey })

/**
 * A list of conversations. The query only loads it; the rows are in the chat state, where events change them.
 * Without an answer to the query the rows are not shown: they may be those of another user.
 */
export function useConversationList(kind: Kind) {
  const { queryKey, fetch } = sources[kind]
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    async queryFn({ signal }) {
      const list = await fetch()
      // Another user may have logged in meanwhile.
      if (!signal.aborted) setList(kind, list)
      return true
    },
    ...OPTIONS,
  })
  const list = useStore(chatState, ({ lists }) => lists[kind])
  return { rows: data && list, error, isFetching, refetch }
}

export const useFollowed = () =>
  useQuery({
    queryKey: [people.followedUsers.path],
    queryFn: () => allPages<Listed>((from) => apiPage(people.followedUsers, {}, from)),
    initialData: () => initialRows<Listed>(people.followedUsers),
    ...OPTIONS,
  })
