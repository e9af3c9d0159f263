import type { Me, Person } from '#features/people/contract.ts'
import { PleaseLogIn } from '#features/people/web/PleaseLogIn.tsx'
import { isHttpError } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { NotLoaded } from '#web/NotLoaded.tsx'
import { useHere } from '#web/realtime.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import type { Conversation } from '../contract.ts'
import { ConversationRow } from './ConversationRow.tsx'
import { useConversations, useFollowed } from './conversation-lists.tsx'
import { chatText, fixed } from './text.ts'

/** Those whom I follow, the newest conversation first, then those who wrote to me without being followed. */
export function PrivateChats({ me, current }: { me: Me; current: number | null }) {
  const t = useText(chatText)
  const conversations = useConversations()
  const followed = useFollowed()
  const failed = [conversations, followed].find((query) => !query.data && query.isError)
  if (failed && isHttpError(failed.error, 401)) return <PleaseLogIn />
  if (failed)
    return <NotLoaded error={failed.error} pending={failed.isFetching} onRetry={() => failed.refetch()} />
  if (!conversations.data || !followed.data) return <RowSkeleton count={6} />

  const talks = new Map(conversations.data.map((one) => [one.user.id, one]))
  const isFollowed = new Set(followed.data.map(({ id }) => id))
  const silent = followed.data
    .filter(({ id }) => !talks.has(id))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const mine: Conversation[] = [
    ...conversations.data.filter(({ user }) => isFollowed.has(user.id)),
    ...silent.map((user) => ({ user, followed: true, last_message: null })),
  ]
  const others = conversations.data.filter(({ user }) => !isFollowed.has(user.id))
  const row = (one: Conversation) => (
    <PrivateRow key={one.user.id} conversation={one} me={me.id} current={one.user.id === current} />
  )
  return (
    <>
      {mine.length > 0 && <ul className="rows">{mine.map(row)}</ul>}
      {mine.length === 0 && (
        <Empty title={<QuotedText {...fixed.noFollowed} />} help={t.followFirst}>
          <ButtonLink kind="primary" href="/follow">
            {t.searchUsers}
          </ButtonLink>
        </Empty>
      )}
      {others.length > 0 && (
        <>
          <h2 className="kind">{t.unfollowed}</h2>
          <ul className="rows">{others.map(row)}</ul>
        </>
      )}
    </>
  )
}

interface PrivateRowProps {
  conversation: Conversation
  me: number
  current: boolean
}
export const PrivateRow = ({ conversation: { user, last_message }, me, current }: PrivateRowProps) => (
  <ConversationRow
    place={{ kind: 'private', id: user.id }}
    href={`/privatechat/${user.id}`}
    name={user.name}
    face={<HereFace person={user} />}
    last={last_message}
    me={me}
    current={current}
  />
)

/** With a lamp where somebody is here now. */
export function HereFace({ person }: { person: Person }) {
  const t = useText(chatText)
  const isHere = useHere().has(person.id)
  return (
    <span className="with-lamp" data-here={isHere || undefined}>
      <Avatar person={person} />
      {isHere && <span className="hide">{t.hereNow}</span>}
    </span>
  )
}
