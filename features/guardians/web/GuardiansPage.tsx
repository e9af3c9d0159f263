import './guardians.css'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadError, LogInPrompt } from '#web/LoadError.tsx'
import { useMe } from '#web/me.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { guardianEndpoints } from '../contract.ts'
import { ChildSection } from './ChildSection.tsx'
import { ContactRequestsSection } from './ContactRequestsSection.tsx'
import { useChildrenQuery } from './guardian-queries.ts'
import { guardianText } from './guardian-text.ts'

/** The page of guardians: the contacts that wait for a decision, and their children. */
export default function GuardiansPage() {
  const t = useText(guardianText)
  const me = useMe()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.title} />
      {me ? <Children /> : <LogInPrompt />}
    </PageLayout>
  )
}

function Children() {
  const t = useText(guardianText)
  const { data, error, isFetching, refetch } = useChildrenQuery()
  const { mutate: markAsSeen } = useMutation({ mutationFn: () => callEndpoint(guardianEndpoints.see, {}) })
  const hasChildren = Boolean(data?.length)
  // If this call fails, the only effect is that the app redirects the member to this page once more.
  useEffect(() => {
    if (hasChildren) markAsSeen()
  }, [hasChildren, markAsSeen])
  if (!data && error) return <LoadError error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!data) return <LoadingText />
  if (!hasChildren) return <EmptyState title={t.empty} help={t.emptyHelp} />
  return (
    <>
      <p className="text-soft guardian-about">{t.about}</p>
      <div className="cards">
        <ContactRequestsSection />
        {data.map((child) => (
          <ChildSection key={child.id} child={child} />
        ))}
      </div>
    </>
  )
}
