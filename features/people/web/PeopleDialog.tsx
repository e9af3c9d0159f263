import './people.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type ListedUser, type Person, profilePath } from '../contract.ts'
import { FollowButton } from './FollowButton.tsx'
import { useFollowedIds } from './followed-ids.ts'
import { Reading } from './Reading.tsx'
import { SharedHandle } from './SharedHandle.tsx'
import { peopleDialogText, peopleText } from './text.ts'

type PeopleDialogTitle =
  | {
      list: 'likes' | 'followers' | 'following' | 'invited'
      /** Counts the whole list, for the title. */
      count: number
    }
  | { title: string }
type Props = PeopleDialogTitle & {
  /** The path of the list, the id of its subject and, for reactions, the emoji. */
  queryKey: string
  fetchPage: (from: string | null) => Promise<ListPage<(Person & Pick<ListedUser, 'reading' | 'waits'>)[]>>
  onClose: () => void
  /** Between the title and the list. */
  children?: ReactNode
}

export default function PeopleDialog({ queryKey, fetchPage, onClose, children, ...rest }: Props) {
  const t = useText(peopleText)
  const me = useMe()
  const followings = useFollowedIds(me !== null)
  const { titles, nobodyYet } = useText(peopleDialogText)
  const title = 'title' in rest ? rest.title : titles[rest.list](rest.count)
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: [queryKey],
      queryFn: ({ pageParam }) => fetchPage(pageParam),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next,
      staleTime: 0,
    })
  return (
    <Dialog open title={title} onClose={onClose} className="people-list">
      {children}
      {!data && !error && <LoadingText />}
      {!data && error && (
        <LoadErrorMessage plain error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
      <ul>
        {data?.pages
          .flatMap(({ rows }) => rows)
          .map((person) => (
            <li key={person.id}>
              <Link className="row" href={profilePath(person)} onClick={onClose}>
                <Avatar person={person} />
                <span className="text">
                  <UserText className="name">{person.name}</UserText>
                  <Reading person={person} aria-hidden />
                  <SharedHandle person={person} />
                </span>
              </Link>
              {me && me.id !== person.id && followings.data && (
                <FollowButton person={person} isFollowing={followings.data.includes(person.id)} />
              )}
            </li>
          ))}
      </ul>
      {data?.pages[0]?.rows.length === 0 && <p className="text-meta">{nobodyYet}</p>}
      <div className="dialog-actions">
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
