import { useParams } from 'wouter'
import { ChatFrame } from '#features/chat/ChatFrame.tsx'
import type { PrivateChat } from '#features/chat/contract.ts'
import { HereFace, PrivateChats } from '#features/chat/PrivateChats.tsx'
import { ThreadPane } from '#features/chat/ThreadPane.tsx'
import { chatText } from '#features/chat/text.ts'
import type { Thread } from '#features/chat/thread.tsx'
import { FollowButton, useFollowings } from '#features/people/FollowButton.tsx'
import { isRefusal } from '#web/failure.ts'
import { useHere } from '#web/live.ts'
import { useText } from '#web/text.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Name } from '#web/ui/Name.tsx'

const otherOf = ({ about }: Thread) => (about as PrivateChat).user

export default function PrivateChatPage() {
  const t = useText(chatText)
  const id = Number(useParams<{ id: string }>().id)
  return (
    <ChatFrame
      title={t.directMessage}
      kind="private"
      pane="thread"
      list={(me) => <PrivateChats me={me} current={id} />}
      thread={(me) => (
        <ThreadPane
          key={id}
          place={{ kind: 'private', id }}
          me={me}
          back="/users"
          label={(now) => t.chatWith(otherOf(now).name)}
          head={(_, now) => <Head chat={now.about as PrivateChat} />}
          empty={(now) => (
            <p className="beginning" dir="auto">
              {t.beginning(otherOf(now).name)}
            </p>
          )}
          other={(now) => otherOf(now).name}
          closed={(error) => <Closed gone={isRefusal(error, 404)} />}
        />
      )}
    />
  )
}

function Head({ chat: { user, followed } }: { chat: PrivateChat }) {
  const t = useText(chatText)
  const isHere = useHere().has(user.id)
  const followings = useFollowings(!followed)
  return (
    <>
      <div className="bench">
        <HereFace person={user} />
      </div>
      <h1 className="title" tabIndex={-1}>
        <Name>{user.name}</Name>
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

function Closed({ gone }: { gone: boolean }) {
  const t = useText(chatText)
  return (
    <section className="thread" aria-label={t.shutTitle}>
      <Empty plain as="h1" title={gone ? t.noSuchUser : t.shutTitle} help={gone ? undefined : t.shut}>
        <ButtonLink href={gone ? '/users' : '/follow'}>{gone ? t.toChats : t.searchUsers}</ButtonLink>
      </Empty>
    </section>
  )
}
