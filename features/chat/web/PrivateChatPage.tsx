import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { Link, useParams } from 'wouter'
import { peopleEndpoints, toProfilePath } from '#features/people/contract.ts'
import { FollowButton, useFollowedIds } from '#features/people/web/FollowButton.tsx'
import { PersonHandle } from '#features/people/web/PersonHandle.tsx'
import { PersonMenu } from '#features/people/web/PersonMenu.tsx'
import { fetchListPage } from '#web/api.ts'
import { isErrorWithStatus } from '#web/errors.ts'
import { detectTextLanguage, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { useOnlineMembers } from '#web/realtime.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import type { PrivateChat } from '../contract.ts'
import { ChatFrame } from './ChatFrame.tsx'
import { getLastConversationListPath } from './ConversationList.tsx'
import { ConversationPane } from './ConversationPane.tsx'
import { PresenceAvatar } from './ConversationRow.tsx'
import { chatText } from './text.ts'

export default function PrivateChatPage() {
  const id = Number(useParams<{ id: string }>().id)
  return (
    <ChatFrame
      current={{ kind: 'private', id }}
      renderConversation={(me) => (
        <ConversationPane<PrivateChat>
          key={id}
          conversation={{ kind: 'private', id }}
          me={me}
          renderHeader={(chat) => <Header chat={chat} />}
          renderClosed={(error, store) => (
            <NoChatAccess
              id={id}
              isMissing={isErrorWithStatus(error, 404)}
              onFollowed={() => void store.sync()}
            />
          )}
        />
      )}
    />
  )
}

function Header({ chat: { user, followed } }: { chat: PrivateChat }) {
  const t = useText(chatText)
  const isOnline = useOnlineMembers().has(user.id)
  const canFollow = !followed && !user.is_former
  const followings = useFollowedIds(canFollow)
  return (
    <>
      <div className="header-aside">
        <PresenceAvatar person={user} />
      </div>
      <h1 className="title" tabIndex={-1}>
        {user.is_former ? (
          user.name
        ) : (
          <Link href={toProfilePath(user)} dir="auto" lang={detectTextLanguage(user.name)}>
            {user.name}
          </Link>
        )}
        <PersonHandle person={user} />
        {isOnline && <span className="sub">{t.onlineNow}</span>}
      </h1>
      {!user.is_former && (
        <div className="actions">
          {canFollow && followings.data && (
            <FollowButton person={user} isFollowing={followings.data.includes(user.id)} />
          )}
          <PersonMenu person={user} />
        </div>
      )}
    </>
  )
}

interface NoChatAccessProps {
  id: number
  isMissing: boolean
  onFollowed: () => void
}

/** Shown if the user has no access to the chat. The user gets access by following the other person. */
function NoChatAccess({ id, isMissing, onFollowed }: NoChatAccessProps) {
  const t = useText(chatText)
  const me = useMe()
  const followings = useFollowedIds(!isMissing)
  const { data } = useQuery({
    queryKey: [peopleEndpoints.users.path, 'by id', id],
    // Requests the list of users with ids above `id - 1`, and of it only the first row, because no endpoint
    // returns a single user. If the person exists, they are in that row.
    queryFn: async () =>
      (await fetchListPage(peopleEndpoints.users, { limit: 1, ...(id > 1 && { after: id - 1 }) })).rows.find(
        (one) => one.id === id,
      ) ?? null,
    enabled: !isMissing,
  })
  const isFollowed = followings.data?.includes(id) ?? false
  const handleFollowed = useEffectEvent(onFollowed)
  useEffect(() => {
    if (isFollowed) handleFollowed()
  }, [isFollowed])
  return (
    <section className="conversation" aria-label={t.closedTitle}>
      <EmptyState
        withoutBackground
        as="h1"
        title={isMissing ? t.noSuchUser : t.closedTitle}
        help={isMissing ? undefined : data && data.id !== me?.id ? t.notFollowing(data.name) : t.closedHelp}
      >
        {data && data.id !== me?.id && followings.data && (
          <FollowButton person={data} isFollowing={isFollowed} />
        )}
        <ButtonLink href={getLastConversationListPath()}>{t.toChats}</ButtonLink>
      </EmptyState>
    </section>
  )
}
