import './open-groups.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams } from 'wouter'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { returnAfterJoining } from '#web/return-path.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { linkEndpoints } from '../contract.ts'
import { Card } from './GroupPage.tsx'
import { linkKey, useLiveGroups } from './queries.ts'
import { openGroupText } from './text.ts'

/** Whoever comes without an account comes back after the log-in or the registration. */
export default function LinkPage() {
  const { token } = useParams<{ token: string }>()
  const isMember = useMe() !== null
  useEffect(() => returnAfterJoining(isMember ? null : location.pathname), [isMember])
  const t = useText(openGroupText)
  return (
    <PageLayout kind="inset">
      {isMember ? (
        <LinkedGroup token={token} />
      ) : (
        <>
          <PageHeader title={t.title} />
          <LogInPrompt />
        </>
      )}
    </PageLayout>
  )
}

function LinkedGroup({ token }: { token: string }) {
  const t = useText(openGroupText)
  const explain = useErrorText()
  useLiveGroups()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...linkKey, token],
    queryFn: () => callEndpoint(linkEndpoints.open, { token }),
  })
  if (error && hasStatus(error, 404))
    return (
      <EmptyState as="h1" title={explain(error)}>
        <ButtonLink href="/groups">{t.toList}</ButtonLink>
      </EmptyState>
    )
  if (!data && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!data) return <LoadingText />
  return (
    <div className="cards">
      <Card group={data} token={token} />
    </div>
  )
}
