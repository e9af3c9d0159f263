import './guardians.css'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe, useSetMe } from '#web/me.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { guardianEndpoints } from '../contract.ts'
import { ChildSection } from './ChildSection.tsx'
import { ContactRequests } from './ContactRequests.tsx'
import { useChildren } from './queries.ts'
import { guardianText } from './text.ts'

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
  const { data, error, isFetching, refetch } = useChildren()
  const me = useMe()
  const changed = useSetMe()
  const { mutate: markAsSeen } = useMutation({
    mutationFn: () => callEndpoint(guardianEndpoints.see, {}),
    onSuccess() {
      if (!me?.guardian_news) return
      const { guardian_news: _, ...rest } = me
      changed(rest, { forget: false })
    },
  })
  const hasChildren = Boolean(data?.length)
  // Shows no error: the only effect is one more hint.
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
        <ContactRequests />
        {data.map((child) => (
          <ChildSection key={child.id} child={child} />
        ))}
      </div>
    </>
  )
}
