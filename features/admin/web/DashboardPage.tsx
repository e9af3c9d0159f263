import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Plus, Users } from 'lucide-react'
import { api, apiPage } from '#web/api.ts'
import { useLang, useText } from '#web/i18n.ts'
import { initialAnswer } from '#web/page-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import { admin, type Facts, type ListedGroup } from '../contract.ts'
import { AdminLayout, NotLoaded } from './AdminLayout.tsx'
import { BackupLine } from './BackupLine.tsx'
import { Groups } from './Groups.tsx'
import { adminText } from './text.ts'

export default function DashboardPage() {
  const t = useText(adminText)
  return (
    <AdminLayout title={t.dashboard}>
      <div className="line-up admin-ways">
        <ButtonLink kind="primary" icon={Plus} href="/admin/creategroup">
          {t.createGroup}
        </ButtonLink>
        <ButtonLink icon={Users} href="/admin/users">
          {t.users}
        </ButtonLink>
      </div>
      <Overview />
    </AdminLayout>
  )
}

const useFacts = () =>
  useQuery({
    queryKey: [admin.facts.path],
    queryFn: () => api(admin.facts, {}),
    initialData: () => initialAnswer(admin.facts)?.body as Facts | undefined,
  })

const useGroups = () =>
  useInfiniteQuery({
    queryKey: [admin.groups.path],
    queryFn: ({ pageParam }) => apiPage(admin.groups, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    initialData: () => {
      const first = initialAnswer(admin.groups)
      return first && { pages: [{ rows: first.body as ListedGroup[], next: first.next }], pageParams: [null] }
    },
  })

function Overview() {
  const t = useText(adminText)
  const facts = useFacts()
  const groups = useGroups()
  const failed = [facts, groups].find((query) => query.isError && !query.data)
  if (failed) {
    const retry = () => [facts, groups].forEach((query) => void query.refetch())
    return <NotLoaded error={failed.error} pending={facts.isFetching || groups.isFetching} onRetry={retry} />
  }
  return (
    <>
      <FactsRow facts={facts.data} />
      {facts.data && <BackupLine {...facts.data.backup} />}
      <h2 className="admin-heading">{t.groups}</h2>
      {groups.data ? (
        <Groups groups={groups.data.pages.flatMap((page) => page.rows)} />
      ) : (
        <RowSkeleton count={3} />
      )}
      {groups.hasNextPage && (
        <p className="list-more">
          <Button pending={groups.isFetchingNextPage} onClick={() => groups.fetchNextPage()}>
            {t.loadMore}
          </Button>
        </p>
      )}
    </>
  )
}

function FactsRow({ facts }: { facts: Facts | undefined }) {
  const t = useText(adminText)
  const lang = useLang()
  const figure = (n: number) => n.toLocaleString(lang)
  const rows: [label: string, count: number | undefined, about?: string | undefined][] = [
    [
      t.members,
      facts?.members,
      facts?.members_this_week ? t.thisWeek(figure(facts.members_this_week)) : undefined,
    ],
    [t.groups, facts?.groups],
    [t.posts, facts?.posts_today, t.inADay],
    [t.wrote, facts?.wrote_today, t.inADay],
  ]
  return (
    <dl className="facts" aria-busy={!facts || undefined}>
      {rows.map(([label, count, about]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {count === undefined ? <span className="bones bone" /> : figure(count)}{' '}
            {count !== undefined && about && <small>{about}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
