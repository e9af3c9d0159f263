import './people.css'
import { useEffect, useState } from 'react'
import { detectLanguage, useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type ListedUser, profilePath } from '../contract.ts'
import { FollowButton } from './FollowButton.tsx'
import { useFollowedIds } from './followed-ids.ts'
import { InviteLink } from './InviteLink.tsx'
import { groupByInitial } from './initials.ts'
import { Reading } from './Reading.tsx'
import { SharedHandle } from './SharedHandle.tsx'
import { peopleText } from './text.ts'
import { allUsersSource, useUserSearch } from './useUserSearch.ts'

const SEARCH_DELAY = 250

/** In the URL, so that going back and reloading restore the text. */
function useSearchText() {
  const [path] = useState(() => location.pathname)
  const [text, setText] = useState(() => new URLSearchParams(location.search).get('q') ?? '')
  useEffect(() => {
    const keep = () => {
      // During a navigation the page stays on the screen, but the URL is already that of the next page.
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
        <InviteLink />
      </PageHeader>
      {useMe() ? <UserSearch /> : <LogInPrompt />}
    </PageLayout>
  )
}

/** False after a reload. */
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
  const { query, rows, hasMore, isSearching } = useUserSearch(allUsersSource, text)
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
      {query.data ? <GroupedRows rows={rows} isSearch={q !== ''} /> : <RowSkeletons count={8} />}
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

/** Fewer are found at a glance. */
const GROUPED_FROM = 30

/** In Japanese, a long list has the headings of 五十音. */
function GroupedRows({ rows, isSearch }: { rows: ListedUser[]; isSearch: boolean }) {
  const t = useText(peopleText)
  const lang = useLang()
  if (lang !== 'ja' || isSearch || rows.length < GROUPED_FROM) return <UserRows rows={rows} />
  return groupByInitial(rows).map(({ initial, people }) => (
    <section key={people[0]!.id}>
      <h2 className="people-initial phone-padding">{initial ?? t.otherInitials}</h2>
      <UserRows rows={people} />
    </section>
  ))
}

function UserRows({ rows }: { rows: ListedUser[] }) {
  const t = useText(peopleText)
  const me = useMe()
  const followings = useFollowedIds()
  const followed = new Set(followings.data)
  return (
    <ul className="cards flush people">
      {rows.map((person) => (
        <li key={person.id} className="row" data-person={person.id}>
          <Link href={profilePath(person)} aria-hidden="true" tabIndex={-1}>
            <Avatar person={person} />
          </Link>
          <div className="text">
            <Link className="name" href={profilePath(person)} dir="auto" lang={detectLanguage(person.name)}>
              {person.name}
            </Link>
            <Reading person={person} aria-hidden />
            <SharedHandle person={person} />
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
