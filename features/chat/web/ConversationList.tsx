import { useLayoutEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Me } from '#features/people/contract.ts'
import { isHttpError } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { NotLoaded, PleaseLogIn } from '#web/NotLoaded.tsx'
import { useStore } from '#web/store.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { RowSkeleton } from '#web/ui/Loading.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { ConversationRow } from './ConversationRow.tsx'
import {
  type ConversationRef,
  chatState,
  conversationKey,
  type ListedConversation,
  newestFirst,
  useUnreadSum,
} from './chat-state.ts'
import { useConversationList, useFollowed, withoutMessages } from './chat-sync.ts'
import { chatText, fixed } from './text.ts'

/** The list of conversations has a page for each filter. */
export type Filter = 'all' | 'private' | 'groups' | 'unread'
const filterPaths = {
  all: '/chats',
  private: '/users',
  groups: '/my-groups',
  unread: '/chats/unread',
} as const

/** The filter that was chosen last. An open conversation stands beside its list and leads back to it. */
let lastFilter: Filter = 'all'
export const pathOfList = () => filterPaths[lastFilter]

/** The filter of a list's path. On the way to another page, the list stays as it is. */
export const filterOf = (path: string): Filter =>
  (Object.keys(filterPaths) as Filter[]).find((filter) => filterPaths[filter] === path) ?? lastFilter

/** The filter of a page: of the list that it shows, or the one that was chosen last. */
export function useFilter(chosen: Filter | undefined) {
  const [filter] = useState(chosen ?? lastFilter)
  useLayoutEffect(() => {
    lastFilter = filter
  }, [filter])
  return filter
}

export function FilterTabs({ filter }: { filter: Filter }) {
  const t = useText(chatText)
  const counts = { all: 0, private: useUnreadSum('private'), groups: useUnreadSum('groups'), unread: 0 }
  return (
    <nav className="tabs" aria-label={t.which}>
      {(['all', 'private', 'groups', 'unread'] as const).map((one) => (
        <Link key={one} href={filterPaths[one]} aria-current={one === filter ? 'page' : undefined}>
          {t.filters[one]}
          <Badge count={counts[one]} />
        </Link>
      ))}
    </nav>
  )
}

interface ListProps {
  me: Me
  current: ConversationRef | undefined
}

/**
 * Private chats and groups, the newest first. Below them are the people whom I follow and have no messages
 * with.
 */
export function ConversationList({ filter, me, current }: ListProps & { filter: Filter }) {
  const t = useText(chatText)
  const withGroups = filter !== 'private'
  const withPrivate = filter !== 'groups'
  const withPeople = withPrivate && filter !== 'unread'
  const chats = useConversationList('private', withPrivate)
  const groups = useConversationList('groups', withGroups)
  const followed = useFollowed(withPeople)
  const unread = useStore(chatState, (state) => state.unread)

  if (withPrivate && !chats.rows) return <ListState query={chats} />
  if (withGroups && !groups.rows) return <ListState query={groups} />
  if (withPeople && !followed.data) return <ListState query={followed} />

  const key = current && conversationKey(current)
  const isShown = (one: ListedConversation) =>
    filter !== 'unread' || unread[one.kind][one.id] || conversationKey(one) === key
  const privateRows = withPrivate ? chats.rows! : []
  const conversations = [...privateRows, ...(withGroups ? groups.rows! : [])]
    .filter(isShown)
    .sort(newestFirst)
  const known = new Set(privateRows.map(({ id }) => id))
  const people = withPeople ? followed.data!.filter(({ id }) => !known.has(id)) : []
  const isEmpty = filter === 'private' ? !followed.data!.length : !conversations.length && !people.length
  return (
    <>
      <Rows conversations={conversations} me={me} current={current} />
      {isEmpty && <EmptyList filter={filter} isAdmin={me.is_admin} />}
      {people.length > 0 && (
        <>
          <h2 className="kind">{t.startChat}</h2>
          <Rows conversations={people.map(withoutMessages).sort(byName)} me={me} current={current} />
        </>
      )}
    </>
  )
}

const byName = (a: ListedConversation, b: ListedConversation) => a.name.localeCompare(b.name)

const Rows = ({ conversations, me, current }: ListProps & { conversations: readonly ListedConversation[] }) =>
  conversations.length > 0 && (
    <ul className="rows">
      {conversations.map((one) => (
        <ConversationRow
          key={conversationKey(one)}
          conversation={one}
          me={me.id}
          current={one.kind === current?.kind && one.id === current.id}
        />
      ))}
    </ul>
  )

function EmptyList({ filter, isAdmin }: { filter: Filter; isAdmin: boolean }) {
  const t = useText(chatText)
  if (filter === 'unread') return <Empty title={t.nothingUnread} />
  const searchUsers = (
    <ButtonLink kind={filter === 'groups' ? undefined : 'primary'} href="/follow">
      {t.searchUsers}
    </ButtonLink>
  )
  if (filter !== 'groups')
    return (
      <Empty title={<QuotedText {...fixed.noFollowed} />} help={t.followFirst}>
        {searchUsers}
      </Empty>
    )
  return (
    <Empty title={<QuotedText {...fixed.noGroups} />} help={t.askAdmin}>
      {isAdmin ? (
        <ButtonLink kind="primary" href="/admin/creategroup">
          {t.createGroup}
        </ButtonLink>
      ) : (
        searchUsers
      )}
    </Empty>
  )
}

/** Stands in place of a list that is being loaded, or that could not be loaded. */
function ListState({
  query: { error, isFetching, refetch },
}: {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
}) {
  if (!error) return <RowSkeleton count={6} />
  if (isHttpError(error, 401)) return <PleaseLogIn />
  return <NotLoaded error={error} pending={isFetching} onRetry={() => refetch()} />
}
