import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ChevronLeft } from 'lucide-react'
import { fetchPage, type ListPage } from '#web/api.ts'
import { hasStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { type Hit, type HitKind, searchEndpoints } from '../contract.ts'
import { type Asked, isGroup, pathOf } from './asked.ts'
import { Hits } from './Hits.tsx'
import { searchText } from './text.ts'
import { useFillEmptyPage } from './useFillEmptyPage.ts'
import { inputOf } from './useOverview.ts'

interface Props {
  asked: Asked
  kind: HitKind
  hint: string
  onOpen: () => void
}

/** All hits of one kind. */
export function KindList({ asked, kind, hint, onOpen }: Props) {
  const t = useText(searchText)
  const query = useInfiniteQuery({
    queryKey: [searchEndpoints.list.path, asked.q, asked.place, kind],
    queryFn: ({ pageParam }) => fetchPage(searchEndpoints.list, { ...inputOf(asked), kind }, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<Hit[]>) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
  const { data, error, isFetching, isPlaceholderData, refetch, hasNextPage, fetchNextPage } = query
  useFillEmptyPage(query)
  const rows = data?.pages.flatMap((page) => page.rows)
  const isUnclear = hasStatus(error, 422)
  return (
    <section className="search-section" aria-labelledby="found-kind">
      <header>
        <h2 id="found-kind">{t.kinds[kind]}</h2>
        <Link className="button ghost small" href={pathOf({ ...asked, kind: '' })}>
          <Icon icon={ChevronLeft} size="s" />
          {t.allKinds}
        </Link>
      </header>
      <p className="text-meta phone-padding search-hint" id={hint} role="status">
        {isUnclear
          ? (error as Error).message
          : rows && !isPlaceholderData && t.found(rows.length, hasNextPage)}
      </p>
      {error && !isUnclear && (
        <LoadErrorMessage
          error={error}
          pending={isFetching}
          onRetry={() => (rows ? fetchNextPage() : refetch())}
        />
      )}
      {!rows && !error && <RowSkeletons count={8} />}
      {rows && (
        <div className="search-results" aria-busy={isPlaceholderData}>
          <Hits hits={rows} inGroup={isGroup(asked)} onOpen={onOpen} />
        </div>
      )}
      {hasNextPage && !error && (
        <p className="list-more">
          <Button pending={isFetching} onClick={() => fetchNextPage()}>
            {t.loadMore}
          </Button>
        </p>
      )}
    </section>
  )
}
