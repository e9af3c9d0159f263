import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { Link, useParams } from 'wouter'
import { peopleEndpoints, toProfilePath } from '#features/people/contract.ts'
import { FollowButton } from '#features/people/web/FollowButton.tsx'
import { useFollowedIdsQuery } from '#features/people/web/followed-ids.ts'
import { PersonMenu } from '#features/people/web/PersonMenu.tsx'
import { SharedNameHandle } from '#features/people/web/SharedNameHandle.tsx'
import { fetchListPage } from '#web/api.ts'
import { isErrorWithStatus } from '#web/errors.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { useOnlineMembers } from '#web/realtime.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import type { PrivateChat } from '../contract.ts'
import { ChatFrame } from './ChatFrame.tsx'
import { getLastConversationListPath } from './ConversationList.tsx'
import { MutedMark, useConversationMuteItem } from './ConversationMute.tsx'
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

function Header({ chat: { user, followed, is_muted } }: { chat: PrivateChat }) {
  const t = useText(chatText)
  const isOnline = useOnlineMembers().has(user.id)
  const conversation = { kind: 'private', id: user.id } as const
  const mute = useConversationMuteItem(conversation)
  const canFollow = !followed && !user.is_former
  const followings = useFollowedIdsQuery(canFollow)
  return (
    <>
      <div className="header-aside">
        <PresenceAvatar person={user} />
      </div>
      <h1 className="title" tabIndex={-1}>
        {user.is_former ? (
          user.name
        ) : (
          <Link href={toProfilePath(user)} dir="auto" lang={detectLanguageOfUserText(user.name)}>
            {user.name}
          </Link>
        )}
        <SharedNameHandle person={user} />
        <MutedMark conversation={conversation} />
        {isOnline && <span className="sub">{t.onlineNow}</span>}
      </h1>
      {!user.is_former && (
        <div className="actions">
          {canFollow && followings.data && (
            <FollowButton person={user} isFollowing={followings.data.includes(user.id)} />
          )}
          <PersonMenu person={user} isMuted={is_muted === true}>
            {mute.item}
          </PersonMenu>
          {mute.dialog}
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

/**
 * A message in place of a private chat to which the user has no access, with a button to follow the other
 * person, which gives access.
 */
function NoChatAccess({ id, isMissing, onFollowed }: NoChatAccessProps) {
  const t = useText(chatText)
  const me = useMe()
  const followings = useFollowedIdsQuery(!isMissing)
  const { data } = useQuery({
    queryKey: [peopleEndpoints.users.path, 'by id', id],
    // Requests one row of the list of people, beginning at this id, because the feature `people` has no
    // endpoint for one person. If the person exists, the row is theirs.
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
