import { ChatFrame } from '#features/chat/ChatFrame.tsx'
import { Groups } from '#features/chat/Groups.tsx'
import { chatText } from '#features/chat/text.ts'
import { useText } from '#web/text.ts'
import { Empty } from '#web/ui/Empty.tsx'

export default function MyGroupsPage() {
  const t = useText(chatText)
  return (
    <ChatFrame
      title={t.yourGroups}
      kind="groups"
      pane="list"
      list={(me) => <Groups me={me} current={null} />}
      thread={() => (
        <section className="thread" aria-label={t.chooseGroup}>
          <Empty plain title={t.chooseGroup} />
        </section>
      )}
    />
  )
}
