import './scheduled.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { scheduledEndpoints } from '../contract.ts'
import { useChanges } from './count.ts'
import { scheduledText } from './page-text.ts'
import { ScheduledCard } from './ScheduledCard.tsx'

export default function ScheduledPage() {
  const t = useText(scheduledText)
  const me = useMe()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.title} sub={t.help} />
      {me ? <List key={me.id} me={me.id} /> : <LogInPrompt />}
    </PageLayout>
  )
}

const listKey = [scheduledEndpoints.list.path]

function List({ me }: { me: number }) {
  const t = useText(scheduledText)
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: listKey,
    queryFn: () => callEndpoint(scheduledEndpoints.list, {}),
    // What is sent meanwhile leaves the list.
    staleTime: 0,
  })
  const reload = () => client.invalidateQueries({ queryKey: listKey })
  useChanges(me, reload)
  if (!data && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!data) return <RowSkeletons count={3} />
  if (!data.length)
    return (
      <EmptyState title={t.empty} help={t.emptyHelp}>
        <ButtonLink kind="primary" href="/post">
          {t.newPost}
        </ButtonLink>
      </EmptyState>
    )
  return (
    <ul className="cards scheduled-list">
      {data.map((scheduled) => (
        <ScheduledCard key={scheduled.id} me={me} scheduled={scheduled} onChange={reload} />
      ))}
    </ul>
  )
}
