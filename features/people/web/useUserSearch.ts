import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { foldNameForSearch } from '#core/unicode.ts'
import { type FetchedListPage, fetchListPage } from '#web/api.ts'
import { findInitialEndpointResponse } from '#web/page-data.ts'
import { type ListedUser, peopleEndpoints } from '../contract.ts'

const SEARCH_DELAY = 250

/**
 * The source of a list of people that can be searched: functions that load pages of the list, and that return
 * the text of a person for the search.
 */
export interface SearchableUserListOptions<P> {
  key: string
  fetchPage: (q: string, from: string | null) => Promise<FetchedListPage<P[]>>
  initialPage: () => FetchedListPage<P[]> | undefined
  /** Returns the text of a person, such as the name, in which the search looks for the search text. */
  searchText: (person: P) => string
}

/** The source for the search in the list of all members whom the reader may see. */
export const optionsForSearchableListOfAllUsers: SearchableUserListOptions<ListedUser> = {
  key: peopleEndpoints.users.path,
  fetchPage: (q, from) => fetchListPage(peopleEndpoints.users, { q }, from),
  initialPage: () => {
    const first = findInitialEndpointResponse(peopleEndpoints.users)
    return first && { rows: first.body as ListedUser[], next: first.next }
  },
  searchText: ({ name }) => name,
}

/**
 * Returns the people of a list who match the search text. Searches the loaded people at once. If the server
 * has more people, also asks the server a moment after the last key press.
 */
export function useSearchableUserList<P extends { id: number }>(
  source: SearchableUserListOptions<P>,
  text: string,
) {
  const q = foldNameForSearch(text.trim())
  const query = useInfiniteQuery({
    queryKey: [source.key],
    queryFn: ({ pageParam }) => source.fetchPage('', pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    initialData: () => {
      const first = source.initialPage()
      return first && { pages: [first], pageParams: [null] }
    },
  })
  const fromServer = useServerSearch(source, q, query.hasNextPage)
  const loaded = query.data?.pages.flatMap((page) => page.rows) ?? []
  const matching = q
    ? loaded.filter((person) => foldNameForSearch(source.searchText(person)).includes(q))
    : loaded
  const known = new Set(matching.map((person) => person.id))
  return {
    query,
    rows: [...matching, ...fromServer.rows.filter((person) => !known.has(person.id))],
    hasMore: q ? fromServer.hasMore : query.hasNextPage,
    isSearching: fromServer.isSearching,
  }
}

function useServerSearch<P>(source: SearchableUserListOptions<P>, q: string, enabled: boolean) {
  const [asked, setAsked] = useState(q)
  useEffect(() => {
    const timer = setTimeout(setAsked, SEARCH_DELAY, q)
    return () => clearTimeout(timer)
  }, [q])
  const found = useQuery({
    queryKey: [source.key, asked],
    queryFn: () => source.fetchPage(asked, null),
    enabled: enabled && asked !== '',
  })
  const isAnswered = asked === q && !found.isFetching
  return {
    rows: asked === q ? (found.data?.rows ?? []) : [],
    hasMore: found.data?.next != null,
    isSearching: enabled && q !== '' && !isAnswered,
  }
}
