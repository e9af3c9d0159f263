import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'

interface ListEndProps {
  /** Whether the first page of the list has been loaded. */
  isLoaded: boolean
  /** The text of the button that loads the next page. */
  showMore: string
  /** The result of `useInfiniteQuery` for the list. */
  query: {
    error: Error | null
    isFetching: boolean
    hasNextPage: boolean
    refetch: () => unknown
    fetchNextPage: () => unknown
  }
}

/** Renders the end of a list: a loading text, an error message, or the button that loads the next page. */
export function LoadingErrorOrMoreButton({ isLoaded, showMore, query }: ListEndProps) {
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
