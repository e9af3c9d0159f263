import './people.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Rows } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { NotLoaded } from '#web/NotLoaded.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { Name } from '#web/ui/Name.tsx'
import { type Listed, profilePath } from '../contract.ts'
import { Handle } from './Handle.tsx'
import { peopleText } from './text.ts'

interface PeopleDialogProps {
  title: string
  /** The address of the list, which also names it in the query cache. */
  list: string
  page: (from: string | null) => Promise<Rows<Listed[]>>
  onClose: () => void
}

/** A list of people, page by page, each with a link to their page. */
export default function PeopleDialog({ title, list, page, onClose }: PeopleDialogProps) {
  const t = useText(peopleText)
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: [list],
      queryFn: ({ pageParam }) => page(pageParam),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next,
      staleTime: 0,
    })
  return (
    <Dialog open title={title} onClose={onClose} className="people-list">
      {!data && !error && <Loading />}
      {!data && error && <NotLoaded plain error={error} pending={isFetching} onRetry={() => refetch()} />}
      <ul>
        {data?.pages
          .flatMap(({ rows }) => rows)
          .map((person) => (
            <li key={person.id}>
              <Link className="row" href={profilePath(person)} onClick={onClose}>
                <Avatar person={person} />
                <Name className="name">{person.name}</Name>
                <Handle of={person} />
              </Link>
            </li>
          ))}
      </ul>
      {data?.pages[0]?.rows.length === 0 && <p className="meta">{t.nobodyYet}</p>}
      <div className="choose">
        {hasNextPage && (
          <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {t.loadMore}
          </Button>
        )}
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </Dialog>
  )
}
