import './open-groups.css'
import { useState } from 'react'
import { useWaiting } from '#features/notifications/web/unread-count.ts'
import { useUserSearch } from '#features/people/web/useUserSearch.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { OpenGroup } from '../contract.ts'
import { Joining } from './Joining.tsx'
import { openGroupsSource, useLiveGroups } from './queries.ts'
import { openGroupText } from './text.ts'

export default function FindPage() {
  const t = useText(openGroupText)
  return (
    <PageLayout>
      <PageHeader title={t.title} />
      {useMe() ? <Groups /> : <LogInPrompt />}
    </PageLayout>
  )
}

function Groups() {
  const t = useText(openGroupText)
  const [text, setText] = useState('')
  const { query, rows, hasMore, isSearching } = useUserSearch(openGroupsSource, text)
  useLiveGroups()
  const q = text.trim()
  if (query.isError && !query.data)
    return <LoadErrorMessage error={query.error} pending={query.isFetching} onRetry={() => query.refetch()} />
  const hasAny = Boolean(query.data?.pages[0]?.rows.length)
  return (
    <>
      <WaitingRequests />
      {query.data && !hasAny && !q ? (
        <EmptyState title={t.empty} help={t.emptyHelp} />
      ) : (
        <>
          <div className="phone-padding">
            <SearchBox label={t.filter} text={text} onText={setText} />
          </div>
          <p className="text-meta phone-padding result-count" role="status">
            {!query.data || (isSearching && !rows.length) ? '' : t.groups(rows.length, hasMore)}
          </p>
        </>
      )}
      {query.data ? <GroupRows rows={rows} /> : <RowSkeletons count={6} />}
      {query.data && q && !rows.length && !isSearching && (
        <EmptyState title={t.nothingFound(q)} help={t.nothingFoundHelp}>
          <Button onClick={() => setText('')}>{t.clear}</Button>
        </EmptyState>
      )}
      {!q && query.hasNextPage && (
        <p className="list-more">
          <Button pending={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            {t.more}
          </Button>
        </p>
      )}
    </>
  )
}

function WaitingRequests() {
  const t = useText(openGroupText)
  const waiting = useWaiting('group_request')
  return (
    waiting > 0 && (
      <p className="phone-padding">
        <ButtonLink kind="primary" href="/groups/requests">
          {t.requestsWait(waiting)}
        </ButtonLink>
      </p>
    )
  )
}

const GroupRows = ({ rows }: { rows: readonly OpenGroup[] }) =>
  rows.length > 0 && (
    <ul className="cards flush open-groups">
      {rows.map((group) => (
        <li key={group.id} className="row">
          <Avatar person={{ ...group, profile_image: group.picture ?? null }} group />
          <div className="text">
            <Link className="name" href={`/groups/${group.id}`}>
              <UserText>{group.name}</UserText>
            </Link>
            <About group={group} />
            {group.description && <UserText className="about">{group.description}</UserText>}
          </div>
          <Joining group={group} />
        </li>
      ))}
    </ul>
  )

export function About({ group: { members_count, state } }: { group: OpenGroup }) {
  const t = useText(openGroupText)
  return (
    <span className="text-meta group-about">
      {t.members(members_count)}
      {state === 'member' && <span className="chip">{t.joined}</span>}
    </span>
  )
}
