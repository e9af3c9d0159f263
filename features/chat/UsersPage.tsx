import { Link } from 'wouter'
import { ChatFrame } from '#features/chat/ChatFrame.tsx'
import { PrivateChats } from '#features/chat/PrivateChats.tsx'
import { chatText } from '#features/chat/text.ts'
import { useText } from '#web/text.ts'
import { Empty } from '#web/ui/Empty.tsx'

export default function UsersPage() {
  const t = useText(chatText)
  return (
    <ChatFrame
      title={t.directMessage}
      kind="private"
      pane="list"
      list={(me) => <PrivateChats me={me} current={null} />}
      thread={() => (
        <section className="thread" aria-label={t.choose}>
          <Empty
            plain
            title={t.choose}
            help={
              <>
                {t.findBefore}
                <Link className="link" href="/follow">
                  {t.findLink}
                </Link>
                {t.findAfter}
              </>
            }
          />
        </section>
      )}
    />
  )
}
