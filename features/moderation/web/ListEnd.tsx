import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'

interface Props {
  /** True once the first page is loaded. */
  isLoaded: boolean
  showMore: string
  query: {
    error: Error | null
    isFetching: boolean
    hasNextPage: boolean
    refetch: () => unknown
    fetchNextPage: () => unknown
  }
}

export function ListEnd({ isLoaded, showMore, query }: Props) {
  const { error, isFetching, hasNextPage, refetch, fetchNextPage } = query
  return (
    <>
      {!isLoaded && !error && <LoadingText />}
      {!isLoaded && error && (
        <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} plain />
      )}
      {hasNextPage && (
        <div className="form-actions">
          <Button pending={isFetching} onClick={() => fetchNextPage()}>
            {showMore}
          </Button>
        </div>
      )}
    </>
  )
}
