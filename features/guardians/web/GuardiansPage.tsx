import './guardians.css'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { guardianEndpoints } from '../contract.ts'
import { ChildContactRequestsSection } from './ChildContactRequestsSection.tsx'
import { GuardedChildSection } from './GuardedChildSection.tsx'
import { useGuardedChildrenQuery } from './guardian-queries.ts'
import { guardianText } from './guardian-text.ts'

/**
 * Renders the page of guardians: the contact requests that wait for a decision, and the children of the
 * current member.
 */
export default function GuardiansPage() {
  const t = useText(guardianText)
  const me = useMe()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.title} />
      {me ? <Children /> : <LogInPromptBox />}
    </PageLayout>
  )
}

function Children() {
  const t = useText(guardianText)
  const { data, error, isFetching, refetch } = useGuardedChildrenQuery()
  const { mutate: markAsSeen } = useMutation({ mutationFn: () => callEndpoint(guardianEndpoints.see, {}) })
  const hasChildren = Boolean(data?.length)
  // Shows no error if this request fails, because the only effect is that the app redirects the member to
  // this page once more.
  useEffect(() => {
    if (hasChildren) markAsSeen()
  }, [hasChildren, markAsSeen])
  if (!data && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!data) return <LoadingText />
  if (!hasChildren) return <EmptyState title={t.empty} help={t.emptyHelp} />
  return (
    <>
      <p className="text-soft guardian-about">{t.about}</p>
      <div className="cards">
        <ChildContactRequestsSection />
        {data.map((child) => (
          <GuardedChildSection key={child.id} child={child} />
        ))}
      </div>
    </>
  )
}
