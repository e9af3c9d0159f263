import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { Link, useParams } from 'wouter'
import { people, profilePath } from '#features/people/contract.ts'
import { FollowButton, useFollowings } from '#features/people/web/FollowButton.tsx'
import { apiPage } from '#web/api.ts'
import { isHttpError } from '#web/errors.ts'
import { langOf, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { useHere } from '#web/realtime.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import type { PrivateChat } from '../contract.ts'
import { ChatFrame } from './ChatFrame.tsx'
import { pathOfList } from './ConversationList.tsx'
import { ConversationPane } from './ConversationPane.tsx'
import { PresenceAvatar } from './ConversationRow.tsx'
import { chatText } from './text.ts'

export default function PrivateChatPage() {
  const id = Number(useParams<{ id: string }>().id)
  return (
    <ChatFrame
      current={{ kind: 'private', id }}
      thread={(me) => (
        <ConversationPane<PrivateChat>
          key={id}
          conversation={{ kind: 'private', id }}
          me={me}
          header={(chat) => <Header chat={chat} />}
          closed={(error, store) => (
            <Closed id={id} gone={isHttpError(error, 404)} onFollowed={() => void store.sync()} />
          )}
        />
      )}
    />
  )
}

function Header({ chat: { user, followed } }: { chat: PrivateChat }) {
  const t = useText(chatText)
  const isHere = useHere().has(user.id)
  const followings = useFollowings(!followed)
  return (
    <>
      <div className="header-aside">
        <PresenceAvatar person={user} />
      </div>
      <h1 className="title" tabIndex={-1}>
        <Link href={profilePath(user)} dir="auto" lang={langOf(user.name)}>
          {user.name}
        </Link>
        {isHere && <span className="sub">{t.hereNow}</span>}
      </h1>
      {!followed && followings.data && (
        <div className="acts">
          <FollowButton person={user} following={followings.data.includes(user.id)} />
        </div>
      )}
    </>
  )
}

interface ClosedProps {
  id: number
  gone: boolean
  onFollowed: () => void
}

/** The chat opens when its reader follows the other person. */
function Closed({ id, gone, onFollowed }: ClosedProps) {
  const t = useText(chatText)
  const me = useMe()
  const followings = useFollowings(!gone)
  const { data } = useQuery({
    queryKey: [people.users.path, 'the one', id],
    // The list begins after an id: its first row is the one asked for.
    queryFn: async () =>
      (await apiPage(people.users, { limit: 1, ...(id > 1 && { after: id - 1 }) })).rows.find(
        (one) => one.id === id,
      ) ?? null,
    enabled: !gone,
  })
  const isFollowed = followings.data?.includes(id) ?? false
  const opened = useEffectEvent(onFollowed)
  useEffect(() => {
    if (isFollowed) opened()
  }, [isFollowed])
  return (
    <section className="thread" aria-label={t.shutTitle}>
      <Empty
        plain
        as="h1"
        title={gone ? t.noSuchUser : t.shutTitle}
        help={gone ? undefined : data && data.id !== me?.id ? t.notFollowing(data.name) : t.shut}
      >
        {data && data.id !== me?.id && followings.data && (
          <FollowButton person={data} following={isFollowed} />
        )}
        <ButtonLink href={pathOfList()}>{t.toChats}</ButtonLink>
      </Empty>
    </section>
  )
}
