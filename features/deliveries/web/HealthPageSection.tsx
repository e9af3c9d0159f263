import './deliveries.css'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AdminLoadError } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint } from '#web/api.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { type ChannelHealth, deliveryHealthEndpoints, type ProviderHealth } from '../contract.ts'
import { healthText } from './text.ts'

export default function HealthPageSection() {
  const t = useText(healthText)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [deliveryHealthEndpoints.show.path],
    queryFn: () => callEndpoint(deliveryHealthEndpoints.show, {}),
    gcTime: 0,
  })
  return (
    <section className="delivery-health" aria-labelledby="delivery-health">
      <h2 id="delivery-health">{t.title}</h2>
      <p>{t.help}</p>
      {!data && error && <AdminLoadError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {!data && !error && <LoadingText />}
      {data && (
        <>
          <ul className="cards">
            {data.channels.map((health) => (
              <ChannelCard key={health.channel} health={health} />
            ))}
          </ul>
          <h3>{t.providers}</h3>
          {data.push_providers.length === 0 && <p>{t.noProviders}</p>}
          <ul className="cards">
            {data.push_providers.map((provider) => (
              <ProviderCard key={provider.host} provider={provider} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

/** The last day and the last seven days. */
function useCountsFormatter() {
  const t = useText(healthText)
  const lang = useLang()
  return ({ day, week }: ChannelHealth['accepted']) =>
    t.counts(day.toLocaleString(lang), week.toLocaleString(lang))
}

function LastSuccess({ at }: { at: string | null }) {
  const t = useText(healthText)
  return <Fact label={t.lastSuccess}>{at === null ? t.never : <RelativeTime at={at} />}</Fact>
}

function ChannelCard({ health }: { health: ChannelHealth }) {
  const t = useText(healthText)
  const formatCounts = useCountsFormatter()
  const { channel, accepted, written, refused, delayed, waiting, oldest_waiting_at } = health
  return (
    <li className="card">
      <h3>{t.channels[channel]}</h3>
      <dl>
        <LastSuccess at={health.last_success_at} />
        <Fact label={t.accepted}>{formatCounts(accepted)}</Fact>
        {written && <Fact label={t.written}>{formatCounts(written)}</Fact>}
        <Fact label={channel === 'live' ? t.lost : t.refused}>{formatCounts(refused)}</Fact>
        {channel !== 'live' && <Fact label={t.delayed}>{formatCounts(delayed)}</Fact>}
        {channel !== 'live' && (
          <Fact label={t.waiting}>
            {waiting}
            {oldest_waiting_at !== null && (
              <>
                {t.waitingSince[0]}
                <RelativeTime at={oldest_waiting_at} />
                {t.waitingSince[1]}
              </>
            )}
          </Fact>
        )}
      </dl>
    </li>
  )
}

function ProviderCard({ provider }: { provider: ProviderHealth }) {
  const t = useText(healthText)
  const formatCounts = useCountsFormatter()
  const { host, accepted, failures, paused_until, last_success_at } = provider
  const reasons: Record<string, string> = t.reasons
  return (
    <li className="card" data-paused={paused_until === null ? undefined : ''}>
      <h4>{host}</h4>
      {paused_until !== null && <p>{t.paused}</p>}
      <dl>
        <LastSuccess at={last_success_at} />
        <Fact label={t.accepted}>{formatCounts(accepted)}</Fact>
        {failures.map((failure) => (
          <Fact key={failure.reason} label={reasons[failure.reason] ?? t.status(failure.reason)}>
            {formatCounts(failure)}
          </Fact>
        ))}
      </dl>
    </li>
  )
}
