import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { AdminNotLoaded } from '#features/people/web/ForAdmins.tsx'
import { api } from '#web/api.ts'
import { useLang, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { adminFiguresKey, entriesAt, modules } from '#web/modules.ts'
import { initialAnswer } from '#web/page-data.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { PageParts } from '#web/views.tsx'
import { admin, type Facts } from '../contract.ts'
import { AdminLayout } from './AdminLayout.tsx'
import { BackupLine } from './BackupLine.tsx'
import { adminText } from './text.ts'

export default function DashboardPage() {
  const t = useText(adminText)
  const lang = useLang()
  return (
    <AdminLayout title={t.dashboard}>
      <div className="line-up admin-ways">
        {entriesAt('adminActions', useMe()).map(({ to, label, icon }) => (
          <ButtonLink key={to[0]} kind="primary" icon={icon} href={to[0]!}>
            {label[lang]}
          </ButtonLink>
        ))}
        <ButtonLink icon={Users} href="/admin/users">
          {t.users}
        </ButtonLink>
      </div>
      <Overview />
    </AdminLayout>
  )
}

function Overview() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: adminFiguresKey,
    queryFn: () => api(admin.facts, {}),
    initialData: () => initialAnswer(admin.facts)?.body as Facts | undefined,
  })
  if (error && !data) return <AdminNotLoaded error={error} pending={isFetching} onRetry={() => refetch()} />
  return (
    <>
      <Figures facts={data} />
      {data && <BackupLine {...data.backup} />}
      <PageParts path="/admin/dashboard" />
    </>
  )
}

const registered = modules
  .flatMap(({ adminFigures = [] }) => adminFigures)
  .toSorted((a, b) => a.order - b.order)

/** The figures of members, then those that features registered, then how many people wrote something. */
function Figures({ facts }: { facts: Facts | undefined }) {
  const t = useText(adminText)
  const lang = useLang()
  const format = (n: number) => n.toLocaleString(lang)
  const newMembers = facts?.members_this_week ? t.thisWeek(format(facts.members_this_week)) : undefined
  const figures: { label: string; count: number | undefined; note?: string | undefined }[] = [
    { label: t.members, count: facts?.members, note: newMembers },
    ...registered.map(({ fact, label, note }) => ({
      label: label[lang],
      count: facts?.[fact as keyof Omit<Facts, 'backup'>],
      note: note?.[lang],
    })),
    { label: t.wrote, count: facts?.wrote_today, note: t.inADay },
  ]
  return (
    <dl className="facts" aria-busy={!facts || undefined}>
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
