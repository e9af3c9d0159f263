import './albums.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Images, Plus } from 'lucide-react'
import { useState } from 'react'
import { useParams, useSearch } from 'wouter'
import { useAudienceGroups } from '#features/posts/web/audience-groups.ts'
import { fetchPage, type ListPage } from '#web/api.ts'
import { Dot, useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { findAnswer } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type Album, albumEndpoints } from '../contract.ts'
import { CreateDialog } from './CreateDialog.tsx'
import { OneAlbum } from './OneAlbum.tsx'
import { albumsText } from './text.ts'

/** Of one album too, so that their code is one file. */
export default function AlbumsPage() {
  const { id } = useParams<{ id?: string }>()
  const isMember = useMe() !== null
  if (!isMember || !id) return <Albums />
  return (
    <PageLayout kind="wide inset">
      <OneAlbum key={id} id={Number(id)} />
    </PageLayout>
  )
}

/** `?group=7`: those of a group. */
function Albums() {
  const t = useText(albumsText)
  const me = useMe()
  const group = Number(new URLSearchParams(useSearch()).get('group')) || null
  const [isCreating, setCreating] = useState(false)
  const { data: groups } = useAudienceGroups(me !== null && group !== null)
  const name = groups?.find(({ id }) => id === group)?.name
  return (
    <PageLayout kind="wide inset">
      <PageHeader
        title={name === undefined ? t.title : t.ofGroup(name)}
        sub={name === undefined && t.subtitle}
      >
        {me && (
          <Button icon={Plus} onClick={() => setCreating(true)}>
            {t.create}
          </Button>
        )}
      </PageHeader>
      {me ? <AlbumList group={group} onCreate={() => setCreating(true)} /> : <LogInPrompt />}
      {isCreating && <CreateDialog group={group} onClose={() => setCreating(false)} />}
    </PageLayout>
  )
}

function firstPage(group: number | null) {
  const answer = group === null ? findAnswer(albumEndpoints.list) : undefined
  if (!answer) return undefined
  const page = { rows: answer.body as Album[], next: answer.next }
  return { pages: [page], pageParams: [null] as (string | null)[] }
}

function AlbumList({ group, onCreate }: { group: number | null; onCreate: () => void }) {
  const t = useText(albumsText)
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [albumEndpoints.list.path, group],
    queryFn: ({ pageParam }) =>
      fetchPage(albumEndpoints.list, group === null ? {} : { group_id: group }, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<Album[]>) => next,
    initialData: () => firstPage(group),
  })
  const rows = data?.pages.flatMap((page) => page.rows)
  if (!rows && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!rows) return <RowSkeletons count={3} />
  return (
    <>
      {group !== null && (
        <p>
          <Link className="link" href="/albums">
            {t.all}
          </Link>
        </p>
      )}
      {!rows.length && (
        <EmptyState title={t.empty} help={t.emptyHelp}>
          <Button kind="primary" icon={Plus} onClick={onCreate}>
            {t.create}
          </Button>
        </EmptyState>
      )}
      <ul className="album-list">
        {rows.map((album) => (
          <AlbumCard key={album.id} album={album} />
        ))}
      </ul>
      {hasNextPage && (
        <Button pending={isFetching} onClick={() => fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </>
  )
}

function AlbumCard({ album: { id, title, group, pictures_count, cover } }: { album: Album }) {
  const t = useText(albumsText)
  return (
    <li>
      <Link href={`/albums/${id}`}>
        <span className="album-cover">
          {cover ? (
            <img
              src={cover.path}
              srcSet={cover.srcset || undefined}
              sizes="(width < 45em) 50vw, 260px"
              alt=""
              loading="lazy"
              decoding="async"
            />
          ) : (
            <Icon icon={Images} />
          )}
        </span>
        <strong>
          <UserText>{title}</UserText>
        </strong>
        <span className="text-meta">
          {t.count(pictures_count)}
          <Dot />
          {group ? <UserText>{group.name}</UserText> : t.everybody}
        </span>
      </Link>
    </li>
  )
}
