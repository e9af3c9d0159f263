import type { Me } from '#features/people/contract.ts'
import { PleaseLogIn } from '#features/people/web/PleaseLogIn.tsx'
import { isHttpError } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { NotLoaded } from '#web/NotLoaded.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { RowSkeleton } from '#web/ui/Loading.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { ConversationRow } from './ConversationRow.tsx'
import type { ListedConversation } from './chat-state.ts'
import { useConversationList, useFollowed, withoutMessages } from './conversation-lists.ts'
import { chatText, fixed } from './text.ts'

interface ListProps {
  me: Me
  /** The id of the conversation that is open. */
  current: number | null
}

/**
 * Private chats with people whom I follow, newest first, then with those who wrote to me without being
 * followed.
 */
export function PrivateChatList({ me, current }: ListProps) {
  const t = useText(chatText)
  const chats = useConversationList('private')
  const followed = useFollowed()
  if (!chats.rows) return <ListState query={chats} rows={6} />
  if (!followed.data) return <ListState query={followed} rows={6} />

  const known = new Set(chats.rows.map(({ id }) => id))
  const isFollowed = new Set(followed.data.map(({ id }) => id))
  const unused = followed.data
    .filter(({ id }) => !known.has(id))
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(withoutMessages)
  const mine = [...chats.rows.filter(({ id }) => isFollowed.has(id)), ...unused]
  const others = chats.rows.filter(({ id }) => !isFollowed.has(id))
  return (
    <>
      {mine.length > 0 ? (
        <Rows conversations={mine} me={me} current={current} />
      ) : (
        <Empty title={<QuotedText {...fixed.noFollowed} />} help={t.followFirst}>
          <ButtonLink kind="primary" href="/follow">
            {t.searchUsers}
          </ButtonLink>
        </Empty>
      )}
      {others.length > 0 && (
        <>
          <h2 className="kind">{t.unfollowed}</h2>
          <Rows conversations={others} me={me} current={current} />
        </>
      )}
    </>
  )
}

/** The groups that I belong to, newest message first. */
export function GroupList({ me, current }: ListProps) {
  const t = useText(chatText)
  const groups = useConversationList('groups')
  if (!groups.rows) return <ListState query={groups} rows={4} />
  if (groups.rows.length) return <Rows conversations={groups.rows} me={me} current={current} />
  return (
    <Empty title={<QuotedText {...fixed.noGroups} />} help={t.askAdmin}>
      {me.is_admin ? (
        <ButtonLink kind="primary" href="/admin/creategroup">
          {t.createGroup}
        </ButtonLink>
      ) : (
        <ButtonLink href="/follow">{t.searchUsers}</ButtonLink>
      )}
    </Empty>
  )
}

const Rows = ({
  conversations,
  me,
  current,
}: ListProps & { conversations: readonly ListedConversation[] }) => (
  <ul className="rows">
    {conversations.map((one) => (
      <ConversationRow key={one.id} conversation={one} me={me.id} current={one.id === current} />
    ))}
  </ul>
)

interface ListStateProps {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
  /** How many rows the skeleton has. */
  rows: number
}

/** Stands in place of a list that is being loaded, or that could not be loaded. */
function ListState({ query: { error, isFetching, refetch }, rows }: ListStateProps) {
  if (!error) return <RowSkeleton count={rows} />
  if (isHttpError(error, 401)) return <PleaseLogIn />
  return <NotLoaded error={error} pending={isFetching} onRetry={() => refetch()} />
}
