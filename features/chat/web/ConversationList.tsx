import { Plus } from 'lucide-react'
import { useLayoutEffect, useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { isErrorWithStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { initialPageData } from '#web/page-data.ts'
import { useStore } from '#web/store.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowListSkeleton } from '#web/ui/LoadingText.tsx'
import { SpecificationTextWithTranslation } from '#web/ui/SpecificationTextWithTranslation.tsx'
import { UnreadBadge } from '#web/ui/UnreadBadge.tsx'
import { ConversationRow } from './ConversationRow.tsx'
import {
  type ChatPartnerOrGroupRef,
  chatStateStore,
  compareConversationsByLastActivity,
  type ListedConversation,
  toConversationKey,
  useUnmutedUnreadMessageCount,
} from './chat-state.ts'
import {
  toEmptyPrivateChatEntry,
  useConversationListOfKind,
  useFollowedUsersQuery,
} from './conversation-lists.ts'
import { chatText, chatTextsQuotedInSpecification } from './text.ts'

/** A filter of the list of conversations. Each filter has a page of its own. */
export type ConversationFilter = 'all' | 'private' | 'groups' | 'unread'
const filterPaths = {
  all: '/chats',
  private: '/users',
  groups: '/my-groups',
  unread: '/chats/unread',
} as const

/**
 * The filter of the list of conversations that was chosen last. The list beside an open conversation has this
 * filter, and the back link leads to the page with this filter.
 */
let lastFilter: ConversationFilter = 'all'
export const getLastConversationListPath = () => filterPaths[lastFilter]

/**
 * Returns the filter of the list of conversations whose page has this path. For other paths, returns the
 * filter that was chosen last, so that the list does not change during a navigation.
 */
export const getConversationFilterOfPathOrLast = (path: string): ConversationFilter =>
  (Object.keys(filterPaths) as ConversationFilter[]).find((filter) => filterPaths[filter] === path) ??
  lastFilter

/**
 * Returns the filter `chosen`, or the filter that was chosen last if `chosen` is undefined. Stores the result
 * as the filter that was chosen last.
 */
export function useAndRememberGivenOrLastConversationFilter(chosen: ConversationFilter | undefined) {
  const [filter] = useState(chosen ?? lastFilter)
  useLayoutEffect(() => {
    lastFilter = filter
  }, [filter])
  return filter
}

export function ConversationFilterTabs({ filter }: { filter: ConversationFilter }) {
  const t = useText(chatText)
  const counts = {
    all: 0,
    private: useUnmutedUnreadMessageCount('private'),
    groups: useUnmutedUnreadMessageCount('groups'),
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
  current: ChatPartnerOrGroupRef | undefined
}

/**
 * Renders the list of the private chats and groups that the filter includes, newest first; below them,
 * followed people without a chat.
 */
export function ConversationList({ filter, me, current }: ListProps & { filter: ConversationFilter }) {
  const t = useText(chatText)
  const createPath = me.is_admin
    ? '/admin/creategroup'
    : initialPageData.app.membersCreateGroups && '/my-groups/new'
  const withGroups = filter !== 'private'
  const withPrivate = filter !== 'groups'
  const withPeople = withPrivate && filter !== 'unread'
  const chats = useConversationListOfKind('private', withPrivate)
  const groups = useConversationListOfKind('groups', withGroups)
  const followed = useFollowedUsersQuery(withPeople)
  const unread = useStore(chatStateStore, (state) => state.unread)

  if (withPrivate && !chats.rows) return <ListPlaceholder query={chats} />
  if (withGroups && !groups.rows) return <ListPlaceholder query={groups} />
  if (withPeople && !followed.data) return <ListPlaceholder query={followed} />

  const key = current && toConversationKey(current)
  const isShown = (one: ListedConversation) =>
    filter !== 'unread' || unread[one.kind][one.id] || toConversationKey(one) === key
  const privateRows = withPrivate ? chats.rows! : []
  const conversations = [...privateRows, ...(withGroups ? groups.rows! : [])]
    .filter(isShown)
    .sort(compareConversationsByLastActivity)
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
      {people.length > 0 && (
        <>
          <h2 className="list-heading">{t.startChat}</h2>
          <ConversationRows
            conversations={people.map(toEmptyPrivateChatEntry).sort(byName)}
            me={me}
            current={current}
          />
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
        <ConversationRow
          key={toConversationKey(one)}
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
  filter: ConversationFilter
  /**
   * The path of the page on which the member creates a group; false or undefined if the member may not create
   * one.
   */
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
      <EmptyState
        title={<SpecificationTextWithTranslation {...chatTextsQuotedInSpecification.noFollowed} />}
        help={t.followFirst}
      >
        {searchUsers}
      </EmptyState>
    )
  return (
    <EmptyState
      title={<SpecificationTextWithTranslation {...chatTextsQuotedInSpecification.noGroups} />}
      help={createPath ? undefined : t.askAdmin}
    >
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

/** Renders a placeholder for a list of conversations that is loading, or the error if it failed to load. */
function ListPlaceholder({
  query: { error, isFetching, refetch },
}: {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
}) {
  if (!error) return <RowListSkeleton count={6} />
  if (isErrorWithStatus(error, 401)) return <LogInPromptBox />
  return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
}
