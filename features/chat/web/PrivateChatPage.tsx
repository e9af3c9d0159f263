import { Suspense } from 'react'
import { useParams } from 'wouter'
import { toProfilePath } from '#features/people/contract.ts'
import { HandleShownForLookalikeName } from '#features/people/web/HandleShownForLookalikeName.tsx'
import { PersonMenu } from '#features/people/web/PersonMenu.tsx'
import { isErrorWithStatus } from '#web/errors.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useOnlineMembersById } from '#web/realtime.ts'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import type { PrivateChat } from '../contract.ts'
import { ChatTwoPaneLayout } from './ChatTwoPaneLayout.tsx'
import { MutedConversationIcon, useConversationMuteMenuItemAndDialog } from './ConversationMute.tsx'
import { ConversationPane } from './ConversationPane.tsx'
import { PresenceAvatar } from './ConversationRow.tsx'
import { chatText } from './text.ts'

const FollowButtonInPrivateChatHeader = lazyWithRetry(() => import('./FollowButtonInPrivateChatHeader.tsx'))
const NoPrivateChatAccess = lazyWithRetry(() => import('./NoPrivateChatAccess.tsx'))

export default function PrivateChatPage() {
  const id = Number(useParams<{ id: string }>().id)
  return (
    <ChatTwoPaneLayout
      current={{ kind: 'private', id }}
      renderConversation={(me) => (
        <ConversationPane<PrivateChat>
          key={id}
          conversation={{ kind: 'private', id }}
          me={me}
          renderHeader={(chat) => <Header chat={chat} />}
          renderClosed={(error, store) => (
            <Suspense fallback={<LoadingConversation />}>
              <NoPrivateChatAccess
                id={id}
                isMissing={isErrorWithStatus(error, 404)}
                onFollowed={() => void store.sync()}
              />
            </Suspense>
          )}
        />
      )}
    />
  )
}

/**
 * Renders a conversation without content while code is loading. It has a heading, so that the page is never
 * without one.
 */
function LoadingConversation() {
  const t = useText(chatText)
  return (
    <section className="conversation">
      <h1 className="visually-hidden">{t.privateChat}</h1>
      <LoadingText />
    </section>
  )
}

function Header({ chat: { user, followed, is_muted } }: { chat: PrivateChat }) {
  const t = useText(chatText)
  const isOnline = useOnlineMembersById().has(user.id)
  const conversation = { kind: 'private', id: user.id } as const
  const mute = useConversationMuteMenuItemAndDialog(conversation)
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
        <HandleShownForLookalikeName person={user} />
        <MutedConversationIcon conversation={conversation} />
        {isOnline && <span className="sub">{t.onlineNow}</span>}
      </h1>
      {!user.is_former && (
        <div className="actions">
          {!followed && (
            <Suspense>
              <FollowButtonInPrivateChatHeader person={user} />
            </Suspense>
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
