import { useInfiniteQuery } from '@tanstack/react-query'
import { fetchListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { accountEndpoints } from '../contract.ts'
import { AccountPageSectionCard } from './AccountPageSectionCard.tsx'
import { AccountSectionLoadError } from './AccountSectionLoadError.tsx'
import { accountPageText } from './text.ts'

/**
 * Renders the section of the account page that lists what happened to the account (the security log), newest
 * first.
 */
export function SecurityLogSection() {
  const t = useText(accountPageText)
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [accountEndpoints.securityEvents.path],
    queryFn: ({ pageParam }) => fetchListPage(accountEndpoints.securityEvents, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const events = data?.pages.flatMap(({ rows }) => rows) ?? []
  return (
    <AccountPageSectionCard title={t.logTitle} help={t.logHelp}>
      <ul className="account-rows">
        {events.map(({ id, kind, by_admin, network, created_at }) => (
          <li className="account-row" key={id}>
            <span className="text">
              {t.events[kind] ?? kind}
              <span className="text-meta">
                <RelativeTime at={created_at} showFullDate />
                {by_admin && ` · ${t.byAdmin}`}
                {network && ` · ${network}`}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {!data && !error && <LoadingText />}
      {error && <AccountSectionLoadError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {hasNextPage && (
        <div className="form-actions">
          <Button pending={isFetching} onClick={() => fetchNextPage()}>
            {t.showMore}
          </Button>
        </div>
      )}
    </AccountPageSectionCard>
  )
}
