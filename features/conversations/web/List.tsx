import { Plus } from 'lucide-react'
import { Suspense, useLayoutEffect, useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { hasStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { pageData } from '#web/page-data.ts'
import { useStore } from '#web/store.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { UnreadBadge } from '#web/ui/UnreadBadge.tsx'
import { PageSections } from '#web/views.tsx'
import { toEmptyChat, useConversations, useFollowedUsers } from './lists.ts'
import { Row } from './Row.tsx'
import type { ConversationRef, ListedConversation } from './state.ts'
import * as chatState from './state.ts'
import { chatSpecTexts, chatText } from './text.ts'

export type ListFilter = 'all' | 'private' | 'groups' | 'unread'
const filterPaths = {
  all: '/chats',
  private: '/users',
  groups: '/my-groups',
  unread: '/chats/unread',
} as const

/** The list beside an open conversation has this filter, and the back link leads to its page. */
let lastFilter: ListFilter = 'all'
export const getListPath = () => filterPaths[lastFilter]

/** Other paths get the filter that was chosen last, so that the list does not change during a navigation. */
export const filterOfPath = (path: string): ListFilter =>
  (Object.keys(filterPaths) as ListFilter[]).find((filter) => filterPaths[filter] === path) ?? lastFilter

/** Returns `chosen`, or else the filter that was chosen last, and remembers it. */
export function useFilter(chosen: ListFilter | undefined) {
  const [filter] = useState(chosen ?? lastFilter)
  useLayoutEffect(() => {
    lastFilter = filter
  }, [filter])
  return filter
}

export function FilterTabs({ filter }: { filter: ListFilter }) {
  const t = useText(chatText)
  const counts = {
    all: 0,
    private: chatState.useUnread('private'),
    groups: chatState.useUnread('groups'),
    unread: 0,
  }
  return (
    <nav className="tabs" aria-label={t.filterLabel}>
      {(['all', 'private', 'groups', 'unread'] as const).map((one) => (
        <Link key={one} href={filterPaths[one]} aria-current={one === filter ? 'page' : undefined}>
          {t.filters[one]}
          <UnreadBadge count={counts[one]} />
        </Link>
      ))}
    </nav>
  )
}

interface ListProps {
  me: Me
  current: ConversationRef | undefined
}

/** Falsy if the member may not create a group. */
export const getCreatePath = (me: Me) =>
  me.is_admin ? '/admin/creategroup' : pageData.app.membersCreateGroups && '/my-groups/new'

/** Newest first; below them, followed people without a chat. */
export function List({ filter, me, current }: ListProps & { filter: ListFilter }) {
  const t = useText(chatText)
  const createPath = getCreatePath(me)
  const withGroups = filter !== 'private'
  const withPrivate = filter !== 'groups'
  const withPeople = withPrivate && filter !== 'unread'
  const chats = useConversations('private', withPrivate)
  const groups = useConversations('groups', withGroups)
  const followed = useFollowedUsers(withPeople)
  const unread = useStore(chatState.store, (state) => state.unread)

  if (withPrivate && !chats.rows) return <ListPlaceholder query={chats} />
  if (withGroups && !groups.rows) return <ListPlaceholder query={groups} />
  if (withPeople && !followed.data) return <ListPlaceholder query={followed} />

  const key = current && chatState.keyOf(current)
  const isShown = (one: ListedConversation) =>
    filter !== 'unread' || unread[one.kind][one.id] || chatState.keyOf(one) === key
  const privateRows = withPrivate ? chats.rows! : []
  const conversations = [...privateRows, ...(withGroups ? groups.rows! : [])]
    .filter(isShown)
    .sort(chatState.byActivity)
  const known = new Set(privateRows.map(({ id }) => id))
  const people = withPeople ? followed.data!.filter(({ id }) => !known.has(id)) : []
  const isEmpty = filter === 'private' ? !followed.data!.length : !conversations.length && !people.length
  return (
    <>
      <ConversationRows conversations={conversations} me={me} current={current} />
      {isEmpty && <EmptyList filter={filter} createPath={createPath} />}
      {!isEmpty && withGroups && createPath && !me.is_admin && (
        <ButtonLink kind="ghost" icon={Plus} className="create-group" href={createPath}>
          {t.createGroup}
        </ButtonLink>
      )}
      {filter === 'groups' && (
        <Suspense>
          <PageSections path="/my-groups#more" />
        </Suspense>
      )}
      {people.length > 0 && (
        <>
          <h2 className="list-heading">{t.startChat}</h2>
          <ConversationRows conversations={people.map(toEmptyChat).sort(byName)} me={me} current={current} />
        </>
      )}
    </>
  )
}

const byName = (a: ListedConversation, b: ListedConversation) => a.name.localeCompare(b.name)

const ConversationRows = ({
  conversations,
  me,
  current,
}: ListProps & { conversations: readonly ListedConversation[] }) =>
  conversations.length > 0 && (
    <ul className="rows">
      {conversations.map((one) => (
        <Row
          key={chatState.keyOf(one)}
          conversation={one}
          me={me.id}
          isCurrent={one.kind === current?.kind && one.id === current.id}
        />
      ))}
    </ul>
  )

function EmptyList({
  filter,
  createPath,
}: {
  filter: ListFilter
  /** False or undefined if the member may not create a group. */
  createPath: string | false | undefined
}) {
  const t = useText(chatText)
  if (filter === 'unread') return <EmptyState title={t.nothingUnread} />
  const searchUsers = (
    <ButtonLink kind={filter === 'groups' ? undefined : 'primary'} href="/follow">
      {t.searchUsers}
    </ButtonLink>
  )
  if (filter !== 'groups')
    return (
      <EmptyState title={<QuotedText {...chatSpecTexts.noFollowed} />} help={t.followFirst}>
        {searchUsers}
      </EmptyState>
    )
  return (
    <EmptyState title={<QuotedText {...chatSpecTexts.noGroups} />} help={createPath ? undefined : t.askAdmin}>
      {createPath ? (
        <ButtonLink kind="primary" href={createPath}>
          {t.createGroup}
        </ButtonLink>
      ) : (
        searchUsers
      )}
    </EmptyState>
  )
}

function ListPlaceholder({
  query: { error, isFetching, refetch },
}: {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
}) {
  if (!error) return <RowSkeletons count={6} />
  if (hasStatus(error, 401)) return <LogInPrompt />
  return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
}
