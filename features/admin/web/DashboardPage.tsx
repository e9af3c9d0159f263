import './admin.css'
import { useWaitingReload } from '#features/notifications/web/unread-count.ts'
import { AdminLoadError } from '#features/people/web/RequireAdmin.tsx'
import { useLang, useText } from '#web/i18n.ts'
import { PageSections } from '#web/views.tsx'
import { statisticsKey, webModules } from '#web/web-modules.ts'
import type { Figures } from '../contract.ts'
import { AdminGroups } from './AdminGroups.tsx'
import { AdminLayout } from './AdminLayout.tsx'
import { BackupStatusLine } from './BackupStatusLine.tsx'
import { useStatistics } from './statistics.ts'
import { adminText } from './text.ts'
import { WaitingTasks } from './WaitingTasks.tsx'

export default function DashboardPage() {
  return (
    <AdminLayout title={useText(adminText).dashboard}>
      <Overview />
    </AdminLayout>
  )
}

function Overview() {
  useWaitingReload('report', statisticsKey)
  useWaitingReload('join_request', statisticsKey)
  const { data, error, isFetching, refetch } = useStatistics()
  const isFailed = error && !data
  return (
    <>
      {!isFailed && <WaitingTasks facts={data} />}
      <AdminGroups members={data?.members} />
      {isFailed ? (
        <AdminLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
      ) : (
        <StatisticTiles facts={data} />
      )}
      {data && <BackupStatusLine {...data.backup} />}
      {!isFailed && <PageSections path="/admin/dashboard" />}
    </>
  )
}

const featureStatistics = webModules
  .flatMap(({ adminStatistics = [] }) => adminStatistics)
  .toSorted((a, b) => a.order - b.order)

function StatisticTiles({ facts }: { facts: Figures | undefined }) {
  const t = useText(adminText)
  const lang = useLang()
  const format = (n: number) => n.toLocaleString(lang)
  const newMembers = facts?.members_this_week ? t.thisWeek(format(facts.members_this_week)) : undefined
  const figures: { label: string; count: number | undefined; note?: string | undefined }[] = [
    { label: t.members, count: facts?.members, note: newMembers },
    ...featureStatistics.map(({ field, label, note }) => ({
      label: label[lang],
      count: facts?.[field as keyof Omit<Figures, 'backup'>],
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
