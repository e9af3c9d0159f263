import './health.css'
import { useQuery } from '@tanstack/react-query'
import { Check, CircleAlert, Info, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { AdminDataLoadError, BackToAdminDashboardLink } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint } from '#web/api.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageSectionsFromFeatures } from '#web/views.tsx'
import { adminHealthEndpoints, type ServerHealth, type ShownHealthCheckResult } from '../health-contract.ts'
import { AdminOnlyPageLayout } from './AdminOnlyPageLayout.tsx'
import { adminHealthPageText } from './health-text.ts'
import { RetryMailsButton } from './RetryMailsButton.tsx'
import { StorageUseSection } from './StorageUseSection.tsx'
import { TestMailButton } from './TestMailButton.tsx'

/**
 * Renders the page where admins see whether the server works well, and what they can do about its problems.
 */
export default function HealthPage() {
  return (
    <AdminOnlyPageLayout title={useText(adminHealthPageText).title}>
      <BackToAdminDashboardLink />
      <Loaded />
    </AdminOnlyPageLayout>
  )
}

function Loaded() {
  const t = useText(adminHealthPageText)
  const { data, error, isFetching, refetch } = useQuery({
    // The key contains the language, because the response contains sentences in this language.
    queryKey: [adminHealthEndpoints.show.path, useLang()],
    queryFn: () => callEndpoint(adminHealthEndpoints.show, { device_time: Date.now() }),
    // Drops the result when the page is left, because it says only how the server was at that moment.
    gcTime: 0,
  })
  if (!data)
    return error ? (
      <AdminDataLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
    ) : (
      <LoadingText />
    )
  return (
    <>
      <p className="text-soft health-help">{t.help}</p>
      <div className="cluster health-summary">
        <p role="status">{summarize(data, t)}</p>
        <Button icon={RefreshCw} small pending={isFetching} onClick={() => refetch()}>
          {t.checkAgain}
        </Button>
      </div>
      <ul className="cards health-checks">
        {sortByStatus(data.checks).map((check) => (
          <CheckCard key={check.name} {...check}>
            {check.name === 'mail' && (
              <>
                <RetryMailsButton mails={data.failed_mails} />
                <TestMailButton />
              </>
            )}
          </CheckCard>
        ))}
      </ul>
      <PageSectionsFromFeatures path="/admin/health" />
      <StorageUseSection />
      <Versions versions={data.versions} />
    </>
  )
}

function summarize({ checks }: ServerHealth, t: (typeof adminHealthPageText)['en']) {
  const count = (wanted: ShownHealthCheckResult['status']) =>
    checks.filter(({ status }) => status === wanted).length
  return t.summary(count('problem'), count('attention'))
}

const order = ['problem', 'attention', 'ok'] as const

/** Sorts the health checks by status, those with problems first. */
const sortByStatus = (checks: readonly ShownHealthCheckResult[]) =>
  checks.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))

const icons = { ok: Check, attention: Info, problem: CircleAlert }

function CheckCard({
  status,
  title,
  finding,
  advice,
  children,
}: ShownHealthCheckResult & { children: ReactNode }) {
  const t = useText(adminHealthPageText)
  return (
    <li className="card health-check" data-status={status}>
      <h2>
        {title}{' '}
        <span className="health-status">
          <Icon icon={icons[status]} size="s" />
          {t.statuses[status]}
        </span>
      </h2>
      <p>{finding}</p>
      {advice && (
        <p className="text-soft">
          <strong>{t.toDo}</strong> {advice}
        </p>
      )}
      {children}
    </li>
  )
}

function Versions({ versions }: Pick<ServerHealth, 'versions'>) {
  return (
    <section aria-labelledby="health-versions">
      <h2 id="health-versions" className="health-heading">
        {useText(adminHealthPageText).versions}
      </h2>
      <dl className="health-versions">
        {versions.map(({ name, version }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{version}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
