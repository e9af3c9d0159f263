import './people.css'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { langOf, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { NotLoaded, PleaseLogIn } from '#web/NotLoaded.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { RowSkeleton } from '#web/ui/Loading.tsx'
import { Name } from '#web/ui/Name.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { type Listed, profilePath } from '../contract.ts'
import { FollowButton, useFollowings } from './FollowButton.tsx'
import { Handle } from './Handle.tsx'
import { peopleText } from './text.ts'
import { everybody, useUserSearch } from './useUserSearch.ts'

const TYPING = 250

/** Keeps the search text in the address, so that it survives Back and a reload. */
function useSearchText() {
  const [path] = useState(() => location.pathname)
  const [text, setText] = useState(() => new URLSearchParams(location.search).get('q') ?? '')
  useEffect(() => {
    const keep = () => {
      // The address may be that of the next page already, while this page is still shown.
      if (location.pathname === path)
        history.replaceState(history.state, '', text ? `?q=${encodeURIComponent(text)}` : path)
    }
    const timer = setTimeout(keep, TYPING)
    return () => clearTimeout(timer)
  }, [path, text])
  return [text, setText] as const
}

export default function SearchUsersPage() {
  const t = useText(peopleText)
  return (
    <PageLayout>
      <PageHeader title={t.searchUsers} />
      {useMe() ? <Found /> : <PleaseLogIn />}
    </PageLayout>
  )
}

/** Whether the keyboard shortcut for searching opened this page. True once, and not after a reload. */
function useLedByKey() {
  const [led] = useState(() => history.state?.search === true)
  useEffect(() => {
    if (led) history.replaceState({ ...history.state, search: undefined }, '')
  }, [led])
  return led
}

function Found() {
  const led = useLedByKey()
  const t = useText(peopleText)
  const [text, setText] = useSearchText()
  const { all, rows, more, waiting } = useUserSearch(everybody, text)
  const q = text.trim()

  if (all.isError && !all.data)
    return <NotLoaded error={all.error} pending={all.isFetching} onRetry={() => all.refetch()} />
  return (
    <>
      <div className="edge">
        <SearchBox label={t.searchBy} text={text} onText={setText} autoFocus={led} />
      </div>
      <p className="meta edge count-line" role="status">
        {!all.data || (waiting && !rows.length) ? '' : t.people(rows.length, more)}
      </p>
      {all.data ? <Rows rows={rows} /> : <RowSkeleton count={8} />}
      {all.data && !rows.length && !waiting && (
        <Empty title={t.nobodyFound(q)} help={t.nobodyHelp}>
          <Button onClick={() => setText('')}>{t.clear}</Button>
        </Empty>
      )}
      {!q && all.hasNextPage && (
        <p className="list-more">
          <Button pending={all.isFetchingNextPage} onClick={() => all.fetchNextPage()}>
            {t.loadMore}
          </Button>
        </p>
      )}
    </>
  )
}

function Rows({ rows }: { rows: Listed[] }) {
  const t = useText(peopleText)
  const me = useMe()
  const followings = useFollowings()
  const followed = new Set(followings.data)
  return (
    <ul className="boards flush people">
      {rows.map((person) => (
        <li key={person.id} className="row" data-person={person.id}>
          <Link href={profilePath(person)} aria-hidden="true" tabIndex={-1}>
            <Avatar person={person} />
          </Link>
          <div className="text">
            <Link className="name" href={profilePath(person)} dir="auto" lang={langOf(person.name)}>
              {person.name}
            </Link>
            <Handle of={person} />
            {person.bio && <Name className="line">{person.bio.replace(/\s+/g, ' ')}</Name>}
          </div>
          {person.id === me?.id ? (
            <span className="chip">{t.you}</span>
          ) : (
            followings.data && <FollowButton person={person} following={followed.has(person.id)} />
          )}
        </li>
      ))}
    </ul>
  )
}
