import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { foldNameForSearch, foldReading } from '#core/text/fold-names.ts'
import { fetchPage, type ListPage } from '#web/api.ts'
import { findAnswer } from '#web/page-data.ts'
import { type ListedUser, peopleEndpoints } from '../contract.ts'

const SEARCH_DELAY = 250

export interface UserSource<P> {
  key: string
  fetchPage: (q: string, from: string | null) => Promise<ListPage<P[]>>
  initialPage: () => ListPage<P[]> | undefined
  /** The search looks for its text in this. */
  searchText: (person: P) => string
}

/** The name, and how it is read without spaces, in lines. */
export const searchedNames = ({ name, reading = '' }: Pick<ListedUser, 'name' | 'reading'>) =>
  `${name}\n${foldReading(reading)}`

export const allUsersSource: UserSource<ListedUser> = {
  key: peopleEndpoints.users.path,
  fetchPage: (q, from) => fetchPage(peopleEndpoints.users, { q, order: 'name' }, from),
  initialPage: () => {
    const first = findAnswer(peopleEndpoints.users)
    return first && { rows: first.body as ListedUser[], next: first.next }
  },
  searchText: searchedNames,
}

/** Searches the loaded people at once; asks the server, if it has more, a moment after the last key press. */
export function useUserSearch<P extends { id: number }>(source: UserSource<P>, text: string) {
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
    ? loaded.filter((person) => {
        const names = foldNameForSearch(source.searchText(person))
        return names.includes(q) || names.includes(foldReading(q) || q)
      })
    : loaded
  const known = new Set(matching.map((person) => person.id))
  return {
    query,
    rows: [...matching, ...fromServer.rows.filter((person) => !known.has(person.id))],
    hasMore: q ? fromServer.hasMore : query.hasNextPage,
    isSearching: fromServer.isSearching,
  }
}

function useServerSearch<P>(source: UserSource<P>, q: string, enabled: boolean) {
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
