import './people.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FetchedListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type Person, toProfilePath } from '../contract.ts'
import { FollowButton } from './FollowButton.tsx'
import { useFollowedIdsQuery } from './followed-ids.ts'
import { HandleShownForLookalikeName } from './HandleShownForLookalikeName.tsx'
import { peopleListDialogText } from './people-dialog-text.ts'
import { peopleText } from './text.ts'

type PeopleDialogTitle =
  | {
      list: 'likes' | 'followers' | 'following' | 'invited'
      /** The number of people in the whole list, which the title of the dialog shows. */
      count: number
    }
  | { title: string }
type PeopleDialogProps = PeopleDialogTitle & {
  /**
   * The query key of the list of people: its path, the id of the person, post, reply, message or invitation,
   * and for reactions the emoji.
   */
  queryKey: string
  fetchPage: (from: string | null) => Promise<FetchedListPage<Person[]>>
  onClose: () => void
  /** The elements between the title of the dialog and the list of people. */
  children?: ReactNode
}

/**
 * Renders a dialog with a list of people, which loads page by page. Each row links to the profile of a
 * person, and has a button to follow the person.
 */
export default function PeopleDialog({ queryKey, fetchPage, onClose, children, ...rest }: PeopleDialogProps) {
  const t = useText(peopleText)
  const me = useMe()
  const followings = useFollowedIdsQuery(me !== null)
  const { titles, nobodyYet } = useText(peopleListDialogText)
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
              <Link className="row" href={toProfilePath(person)} onClick={onClose}>
                <Avatar person={person} />
                <UserText className="name">{person.name}</UserText>
                <HandleShownForLookalikeName person={person} />
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
