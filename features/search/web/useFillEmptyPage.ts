import { useEffect } from 'react'
import type { ListPage } from '#web/api.ts'

interface Pages {
  data: { pages: readonly ListPage<readonly unknown[]>[] } | undefined
  error: unknown
  isFetching: boolean
  hasNextPage: boolean
  fetchNextPage: () => unknown
}

/** A page may be empty although another one follows. */
export function useFillEmptyPage({ data, error, isFetching, hasNextPage, fetchNextPage }: Pages) {
  const isEmpty = data?.pages.at(-1)?.rows.length === 0
  useEffect(() => {
    if (isEmpty && hasNextPage && !isFetching && !error) void fetchNextPage()
  })
}
