import './search.css'
import './attachments.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useSearch } from 'wouter'
import { fetchPage, type ListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { usePageTitle } from '#web/title.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type Attached, searchEndpoints } from '../contract.ts'
import { type AttachedKind, attachmentsPath, pathOf, read } from './asked.ts'
import { attachmentsText } from './attachments-text.ts'
import { FileRows } from './FileRows.tsx'
import { LinkRows } from './LinkRows.tsx'
import { PictureGrid, PictureSkeletons } from './PictureGrid.tsx'
import { usePlace } from './place.ts'
import { useFillEmptyPage } from './useFillEmptyPage.ts'

const kinds: readonly AttachedKind[] = ['picture', 'file', 'link']

export default function AttachmentsPage() {
  const t = useText(attachmentsText)
  const me = useMe()
  const search = useSearch()
  const { place } = read(search)
  const given = new URLSearchParams(search).get('has')
  const kind = kinds.find((one) => one === given) ?? 'picture'
  const shown = usePlace(me ? place : '')
  usePageTitle(shown?.name ? `${t.title} – ${shown.name}` : null)
  return (
    <PageLayout>
      <PageHeader title={t.title}>
        {me && <ButtonLink kind="ghost" iconOnly icon={Search} label={t.search} href={pathOf({ place })} />}
      </PageHeader>
      <nav className="tabs" aria-label={t.tabs}>
        {kinds.map((one) => (
          <Link key={one} href={attachmentsPath(place, one)} aria-current={one === kind ? 'page' : undefined}>
            {t.kinds[one]}
          </Link>
        ))}
      </nav>
      {shown?.name && (
        <p className="text-meta phone-padding attachments-place">
          <Link className="link" href={shown.href}>
            <UserText>{shown.name}</UserText>
          </Link>
        </p>
      )}
      {me ? <Attachments key={`${place} ${kind}`} place={place} kind={kind} /> : <LogInPrompt />}
    </PageLayout>
  )
}

const lists = { picture: PictureGrid, file: FileRows, link: LinkRows }

function Attachments({ place, kind }: { place: string; kind: AttachedKind }) {
  const t = useText(attachmentsText)
  const query = useInfiniteQuery({
    queryKey: [searchEndpoints.attachments.path, place, kind],
    queryFn: ({ pageParam }) => fetchPage(searchEndpoints.attachments, { in: place, has: kind }, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<Attached[]>) => next,
  })
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage } = query
  useFillEmptyPage(query)
  if (!data)
    return error ? (
      <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
    ) : kind === 'picture' ? (
      <PictureSkeletons />
    ) : (
      <RowSkeletons count={8} />
    )
  const rows = data.pages.flatMap((page) => page.rows)
  const List = lists[kind]
  if (!rows.length && !hasNextPage) return <EmptyState title={t.empty[kind]} help={t.emptyHelp} />
  return (
    <>
      <List rows={rows} />
      {error && <LoadErrorMessage error={error} pending={isFetching} onRetry={() => fetchNextPage()} plain />}
      <div className="list-more">
        {hasNextPage ? (
          <Button pending={isFetching} onClick={() => fetchNextPage()}>
            {t.loadMore}
          </Button>
        ) : (
          <p className="text-meta">{t.noMore}</p>
        )}
      </div>
    </>
  )
}
