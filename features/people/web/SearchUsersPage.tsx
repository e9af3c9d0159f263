import './people.css'
import { useEffect, useState } from 'react'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowListSkeleton } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type ListedUser, toProfilePath } from '../contract.ts'
import { FollowButton } from './FollowButton.tsx'
import { useFollowedIdsQuery } from './followed-ids.ts'
import { HandleShownForLookalikeName } from './HandleShownForLookalikeName.tsx'
import { InvitationsPageLink } from './InvitationsPageLink.tsx'
import { peopleText } from './text.ts'
import { optionsForSearchableListOfAllUsers, useSearchableUserList } from './useUserSearch.ts'

const SEARCH_DELAY = 250

/**
 * Returns the search text and a function that sets it. Keeps the text in the URL, so that going back and
 * reloading restore the text.
 */
function useSearchText() {
  const [path] = useState(() => location.pathname)
  const [text, setText] = useState(() => new URLSearchParams(location.search).get('q') ?? '')
  useEffect(() => {
    const keep = () => {
      // Changes the URL only if it is still that of this page: during a navigation the page stays on the
      // screen, but the URL is already that of the next page.
      if (location.pathname === path)
        history.replaceState(history.state, '', text ? `?q=${encodeURIComponent(text)}` : path)
    }
    const timer = setTimeout(keep, SEARCH_DELAY)
    return () => clearTimeout(timer)
  }, [path, text])
  return [text, setText] as const
}

export default function SearchUsersPage() {
  const t = useText(peopleText)
  return (
    <PageLayout>
      <PageHeader title={t.searchUsers}>
        <InvitationsPageLink />
      </PageHeader>
      {useMe() ? <UserSearch /> : <LogInPromptBox />}
    </PageLayout>
  )
}

/**
 * Returns whether the keyboard shortcut for searching opened this page. Returns false after a reload of the
 * page.
 */
function useOpenedByShortcut() {
  const [openedByShortcut] = useState(() => history.state?.search === true)
  useEffect(() => {
    if (openedByShortcut) history.replaceState({ ...history.state, search: undefined }, '')
  }, [openedByShortcut])
  return openedByShortcut
}

function UserSearch() {
  const openedByShortcut = useOpenedByShortcut()
  const t = useText(peopleText)
  const [text, setText] = useSearchText()
  const { query, rows, hasMore, isSearching } = useSearchableUserList(
    optionsForSearchableListOfAllUsers,
    text,
  )
  const q = text.trim()

  if (query.isError && !query.data)
    return <LoadErrorMessage error={query.error} pending={query.isFetching} onRetry={() => query.refetch()} />
  return (
    <>
      <div className="phone-padding">
        <SearchBox label={t.searchBy} text={text} onText={setText} autoFocus={openedByShortcut} />
      </div>
      <p className="text-meta phone-padding result-count" role="status">
        {!query.data || (isSearching && !rows.length) ? '' : t.people(rows.length, hasMore)}
      </p>
      {query.data ? <UserRows rows={rows} /> : <RowListSkeleton count={8} />}
      {query.data && !rows.length && !isSearching && (
        <EmptyState title={t.nobodyFound(q)} help={t.nobodyFoundHelp}>
          <Button onClick={() => setText('')}>{t.clear}</Button>
        </EmptyState>
      )}
      {!q && query.hasNextPage && (
        <p className="list-more">
          <Button pending={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            {t.loadMore}
          </Button>
        </p>
      )}
    </>
  )
}

function UserRows({ rows }: { rows: ListedUser[] }) {
  const t = useText(peopleText)
  const me = useMe()
  const followings = useFollowedIdsQuery()
  const followed = new Set(followings.data)
  return (
    <ul className="cards flush people">
      {rows.map((person) => (
        <li key={person.id} className="row" data-person={person.id}>
          <Link href={toProfilePath(person)} aria-hidden="true" tabIndex={-1}>
            <Avatar person={person} />
          </Link>
          <div className="text">
            <Link
              className="name"
              href={toProfilePath(person)}
              dir="auto"
              lang={detectLanguageOfUserText(person.name)}
            >
              {person.name}
            </Link>
            <HandleShownForLookalikeName person={person} />
            {person.bio && <UserText className="line">{person.bio.replace(/\s+/g, ' ')}</UserText>}
          </div>
          {person.id === me?.id ? (
            <span className="chip">{t.you}</span>
          ) : (
            followings.data && <FollowButton person={person} isFollowing={followed.has(person.id)} />
          )}
        </li>
      ))}
    </ul>
  )
}
