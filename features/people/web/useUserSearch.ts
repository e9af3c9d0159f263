import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { foldName } from '#core/contract.ts'
import { apiPage, type Rows } from '#web/api.ts'
import { initialAnswer } from '#web/page-data.ts'
import { type Listed, people } from '../contract.ts'

const TYPING = 250

/** A list of people that the server also searches. */
export interface Source<P> {
  key: string
  page: (q: string, from: string | null) => Promise<Rows<P[]>>
  first: () => Rows<P[]> | undefined
  /** The text of a person that is searched. */
  words: (person: P) => string
}

/** All members. */
export const everybody: Source<Listed> = {
  key: people.users.path,
  page: (q, from) => apiPage(people.users, { q }, from),
  first: () => {
    const first = initialAnswer(people.users)
    return first && { rows: first.body as Listed[], next: first.next }
  },
  words: ({ name }) => name,
}

/** Searches the loaded people at once, and the server after the last key press where it has more. */
export function useUserSearch<P extends { id: number }>(source: Source<P>, text: string) {
  const q = foldName(text.trim())
  const all = useInfiniteQuery({
    queryKey: [source.key],
    queryFn: ({ pageParam }) => source.page('', pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    initialData: () => {
      const first = source.first()
      return first && { pages: [first], pageParams: [null] }
    },
  })
  const beyond = useBeyond(source, q, all.hasNextPage)
  const loaded = all.data?.pages.flatMap((page) => page.rows) ?? []
  const here = q ? loaded.filter((person) => foldName(source.words(person)).includes(q)) : loaded
  const known = new Set(here.map((person) => person.id))
  return {
    all,
    rows: [...here, ...beyond.rows.filter((person) => !known.has(person.id))],
    more: q ? beyond.more : all.hasNextPage,
    waiting: beyond.waiting,
  }
}

function useBeyond<P>(source: Source<P>, q: string, enabled: boolean) {
  const [asked, setAsked] = useState(q)
  useEffect(() => {
    const timer = setTimeout(setAsked, TYPING, q)
    return () => clearTimeout(timer)
  }, [q])
  const found = useQuery({
    queryKey: [source.key, asked],
    queryFn: () => source.page(asked, null),
    enabled: enabled && asked !== '',
  })
  const isAnswered = asked === q && !found.isFetching
  return {
    rows: asked === q ? (found.data?.rows ?? []) : [],
    more: found.data?.next != null,
    waiting: enabled && q !== '' && !isAnswered,
  }
}
