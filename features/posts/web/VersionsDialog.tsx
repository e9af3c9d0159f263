import './post-versions.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { fetchPage } from '#web/api.ts'
import { Dot, detectLanguage, useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { editEndpoints, type Post } from '../contract.ts'
import { editText } from './menu-text.ts'

/** The current text, and below it the earlier versions, newest first. */
export default function VersionsDialog({ post, onClose }: { post: Post; onClose: () => void }) {
  const t = useText(editText)
  const { id, body, edited_at } = post
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: [editEndpoints.versions.path, id, edited_at],
      queryFn: ({ pageParam }) => fetchPage(editEndpoints.versions, { id }, pageParam),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next,
    })
  return (
    <Dialog open title={t.versions} onClose={onClose} className="post-versions">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard */}
      <ol tabIndex={0} aria-label={t.versions}>
        <Version body={body} at={edited_at} heading={t.current} />
        {data?.pages
          .flatMap(({ rows }) => rows)
          .map((version) => (
            <Version key={version.id} body={version.body} at={version.created_at} />
          ))}
      </ol>
      {!data && !error && <LoadingText />}
      {!data && error && (
        <LoadErrorMessage plain error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
      <div className="dialog-actions">
        {hasNextPage && (
          <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {t.loadMore}
          </Button>
        )}
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </Dialog>
  )
}

interface VersionProps {
  body: string | null
  at: string | undefined
  heading?: string
}

function Version({ body, at, heading }: VersionProps) {
  const t = useText(editText)
  return (
    <li>
      <p className="text-meta">
        {heading && (
          <b>
            {heading}
            <Dot />
          </b>
        )}
        {at && <RelativeTime at={at} showFullDate />}
      </p>
      {body ? (
        <div className="prose" dir="auto" lang={detectLanguage(body)}>
          {body}
        </div>
      ) : (
        <p className="text-meta">{t.noText}</p>
      )}
    </li>
  )
}
