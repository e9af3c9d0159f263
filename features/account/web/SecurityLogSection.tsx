import { useInfiniteQuery } from '@tanstack/react-query'
import { fetchPage } from '#web/api.ts'
import { Dot, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { accountEndpoints } from '../contract.ts'
import { SectionCard } from './SectionCard.tsx'
import { SectionError } from './SectionError.tsx'
import { accountPageText } from './text.ts'

export function SecurityLogSection() {
  const t = useText(accountPageText)
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [accountEndpoints.securityEvents.path],
    queryFn: ({ pageParam }) => fetchPage(accountEndpoints.securityEvents, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const events = data?.pages.flatMap(({ rows }) => rows) ?? []
  return (
    <SectionCard title={t.logTitle} help={t.logHelp}>
      <ul className="account-rows">
        {events.map(({ id, kind, by_admin, network, created_at }) => (
          <li className="account-row" key={id}>
            <span className="text">
              {t.events[kind] ?? kind}
              <span className="text-meta">
                <RelativeTime at={created_at} showFullDate />
                {by_admin && (
                  <>
                    <Dot />
                    {t.byAdmin}
                  </>
                )}
                {network && (
                  <>
                    <Dot />
                    {network}
                  </>
                )}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {!data && !error && <LoadingText />}
      {error && <SectionError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {hasNextPage && (
        <div className="form-actions">
          <Button pending={isFetching} onClick={() => fetchNextPage()}>
            {t.showMore}
          </Button>
        </div>
      )}
    </SectionCard>
  )
}
