import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useParams } from 'wouter'
import type { PrivateChat } from '#features/conversations/contract.ts'
import { Layout } from '#features/conversations/web/Layout.tsx'
import { MutedIcon, useMuteItems } from '#features/conversations/web/Mute.tsx'
import { PresenceAvatar } from '#features/conversations/web/Row.tsx'
import { chatText } from '#features/conversations/web/text.ts'
import { type Me, profilePath } from '#features/people/contract.ts'
import { PersonMenu } from '#features/people/web/PersonMenu.tsx'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { hasStatus } from '#web/errors.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import * as realtime from '#web/realtime.ts'
import { Link } from '#web/ui/Link.tsx'
import { LoadingConversation } from './LoadingConversation.tsx'
import { Pane } from './Pane.tsx'

const FollowInHeader = lazyWithRetry(() => import('./FollowInHeader.tsx'))
const NoAccess = lazyWithRetry(() => import('./NoAccess.tsx'))

export default function PrivatePage() {
  const id = Number(useParams<{ id: string }>().id)
  return (
    <Layout
      current={{ kind: 'private', id }}
      renderConversation={(me) => <Conversation key={id} id={id} me={me} />}
    />
  )
}

function Conversation({ id, me }: { id: number; me: Me }) {
  const begun = useBegun()
  return (
    <Pane<PrivateChat>
      conversation={{ kind: 'private', id }}
      me={me}
      renderHeader={(chat) => <Header chat={chat} onOpen={() => begun.set(null)} />}
      renderClosed={(error, store) => (
        <Suspense fallback={<LoadingConversation />}>
          <NoAccess
            id={id}
            isMissing={hasStatus(error, 404)}
            onFollowed={() => void store.sync()}
            begun={begun.name}
          />
        </Suspense>
      )}
    />
  )
}

/** The link to the chat may carry the name of the person; it counts until the chat opens, or a reload. */
function useBegun() {
  const [name, set] = useState<string | null>(() => history.state?.begin ?? null)
  useEffect(() => {
    if (history.state?.begin) history.replaceState({ ...history.state, begin: undefined }, '')
  }, [])
  return { name, set }
}

function Header({ chat, onOpen }: { chat: PrivateChat; onOpen: () => void }) {
  const { user, followed, is_muted } = chat
  const opened = useEffectEvent(onOpen)
  useEffect(() => opened(), [])
  const { onlineNow } = useText(chatText)
  const isOnline = realtime.useOnline().has(user.id)
  const conversation = { kind: 'private', id: user.id } as const
  const mute = useMuteItems(conversation)
  return (
    <>
      <div className="header-aside">
        <PresenceAvatar person={user} />
      </div>
      <h1 className="title" tabIndex={-1}>
        {user.is_former ? (
          user.name
        ) : (
          <Link href={profilePath(user)} dir="auto" lang={detectLanguage(user.name)}>
            {user.name}
          </Link>
        )}
        <SharedHandle person={user} />
        <MutedIcon conversation={conversation} />
        {isOnline && <span className="sub">{onlineNow}</span>}
      </h1>
      {!user.is_former && (
        <div className="actions">
          {!followed && (
            <Suspense>
              <FollowInHeader chat={chat} />
            </Suspense>
          )}
          <PersonMenu person={user} isMuted={is_muted === true}>
            {mute.items}
          </PersonMenu>
          {mute.dialog}
        </div>
      )}
    </>
  )
}
