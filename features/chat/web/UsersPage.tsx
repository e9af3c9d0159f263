import { Link } from 'wouter'
import { useText } from '#web/i18n.ts'
import { Empty } from '#web/ui/Empty.tsx'
import { ChatFrame } from './ChatFrame.tsx'
import { PrivateChatList } from './ConversationLists.tsx'
import { chatText } from './text.ts'

export default function UsersPage() {
  const t = useText(chatText)
  return (
    <ChatFrame
      title={t.directMessage}
      kind="private"
      pane="list"
      list={(me) => <PrivateChatList me={me} current={null} />}
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
