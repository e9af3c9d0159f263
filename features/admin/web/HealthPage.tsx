import './health.css'
import { useQuery } from '@tanstack/react-query'
import { Check, CircleAlert, Info, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { AdminLoadError, DashboardLink } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint } from '#web/api.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageSections } from '#web/views.tsx'
import { type CheckResult, healthEndpoints, type ServerHealth } from '../contract.ts'
import { AdminLayout } from './AdminLayout.tsx'
import { healthText } from './health-text.ts'
import { RetryMailsButton } from './RetryMailsButton.tsx'
import { StorageSection } from './StorageSection.tsx'
import { TestMailButton } from './TestMailButton.tsx'

export default function HealthPage() {
  return (
    <AdminLayout title={useText(healthText).title}>
      <DashboardLink />
      <Loaded />
    </AdminLayout>
  )
}

function Loaded() {
  const t = useText(healthText)
  const { data, error, isFetching, refetch } = useQuery({
    // The response contains sentences in this language.
    queryKey: [healthEndpoints.show.path, useLang()],
    queryFn: () => callEndpoint(healthEndpoints.show, { device_time: Date.now() }),
    // The result says only how the server was at that moment.
    gcTime: 0,
  })
  if (!data)
    return error ? (
      <AdminLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
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
      <PageSections path="/admin/health" />
      <StorageSection />
      <Versions versions={data.versions} />
    </>
  )
}

function summarize({ checks }: ServerHealth, t: (typeof healthText)['en']) {
  const count = (wanted: CheckResult['status']) => checks.filter(({ status }) => status === wanted).length
  return t.summary(count('problem'), count('attention'))
}

const order = ['problem', 'attention', 'ok'] as const

const sortByStatus = (checks: readonly CheckResult[]) =>
  checks.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))

const icons = { ok: Check, attention: Info, problem: CircleAlert }

function CheckCard({ status, title, finding, advice, children }: CheckResult & { children: ReactNode }) {
  const t = useText(healthText)
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
        {useText(healthText).versions}
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
