import { useQuery } from '@tanstack/react-query'
import { Flag, HeartPulse, ScrollText, Settings, UserPlus, Users } from 'lucide-react'
import { AdminDataLoadError } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint } from '#web/api.ts'
import { useLang, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { findInitialEndpointResponse } from '#web/page-data.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { hasPageAtPath, PageSectionsFromFeatures } from '#web/views.tsx'
import {
  adminStatisticsQueryKey,
  listVisibleNavItemsAtPlace,
  webModulesOfRunningFeatures,
} from '#web/web-modules.ts'
import { type AdminStatistics, adminEndpoints } from '../contract.ts'
import { AdminOnlyPageLayout } from './AdminOnlyPageLayout.tsx'
import { BackupStatusLine } from './BackupStatusLine.tsx'
import { adminText } from './text.ts'

export default function DashboardPage() {
  const t = useText(adminText)
  const lang = useLang()
  return (
    <AdminOnlyPageLayout title={t.dashboard}>
      <div className="cluster admin-actions">
        {listVisibleNavItemsAtPlace('adminActions', useMe()).map(({ paths, label, icon }) => (
          <ButtonLink key={paths[0]} kind="primary" icon={icon} href={paths[0]!}>
            {label[lang]}
          </ButtonLink>
        ))}
        {hasPageAtPath('/moderation') && (
          <ButtonLink icon={Flag} href="/moderation">
            {t.reports}
          </ButtonLink>
        )}
        <ButtonLink icon={Users} href="/admin/users">
          {t.users}
        </ButtonLink>
        <NewMembersLink />
        <ButtonLink icon={Settings} href="/admin/settings">
          {t.settings}
        </ButtonLink>
        <ButtonLink icon={HeartPulse} href="/admin/health">
          {t.health}
        </ButtonLink>
        <ButtonLink icon={ScrollText} href="/admin-log">
          {t.log}
        </ButtonLink>
      </div>
      <Overview />
    </AdminOnlyPageLayout>
  )
}

/**
 * The time in ms after which the page fetches the numbers of the dashboard again, so that admins see new
 * requests to join.
 */
const REFRESH_INTERVAL = 60_000

const useStatistics = () =>
  useQuery({
    queryKey: adminStatisticsQueryKey,
    queryFn: () => callEndpoint(adminEndpoints.facts, {}),
    initialData: () => findInitialEndpointResponse(adminEndpoints.facts)?.body as AdminStatistics | undefined,
    refetchInterval: REFRESH_INTERVAL,
    enabled: useMe()?.is_admin === true,
  })

/**
 * Renders the link to the page of new members. The link says how many people wait for an answer to their
 * request to join.
 */
function NewMembersLink() {
  const t = useText(adminText)
  const waiting = useStatistics().data?.waiting_requests ?? 0
  return (
    <ButtonLink icon={UserPlus} href="/admin/new-members" kind={waiting ? 'primary' : 'secondary'}>
      {waiting ? t.waitingRequests(waiting) : t.newMembers}
    </ButtonLink>
  )
}

function Overview() {
  const { data, error, isFetching, refetch } = useStatistics()
  if (error && !data)
    return <AdminDataLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
  return (
    <>
      <StatisticTiles facts={data} />
      {data && <BackupStatusLine {...data.backup} />}
      <PageSectionsFromFeatures path="/admin/dashboard" />
    </>
  )
}

const featureStatistics = webModulesOfRunningFeatures
  .flatMap(({ adminStatistics = [] }) => adminStatistics)
  .toSorted((a, b) => a.order - b.order)

/**
 * Renders the tiles of the dashboard: the number of members, the numbers of the features, and the number of
 * people who wrote something.
 */
function StatisticTiles({ facts }: { facts: AdminStatistics | undefined }) {
  const t = useText(adminText)
  const lang = useLang()
  const format = (n: number) => n.toLocaleString(lang)
  const newMembers = facts?.members_this_week ? t.thisWeek(format(facts.members_this_week)) : undefined
  const figures: { label: string; count: number | undefined; note?: string | undefined }[] = [
    { label: t.members, count: facts?.members, note: newMembers },
    ...featureStatistics.map(({ field, label, note }) => ({
      label: label[lang],
      count: facts?.[field as keyof Omit<AdminStatistics, 'backup'>],
      note: note?.[lang],
    })),
    { label: t.activeMembers, count: facts?.wrote_today, note: t.in24Hours },
  ]
  return (
    <dl className="statistics" aria-busy={!facts || undefined}>
      {figures.map(({ label, count, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {count === undefined ? <span className="skeleton skeleton-part" /> : format(count)}{' '}
            {count !== undefined && note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
