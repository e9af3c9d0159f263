import { useText } from '#web/i18n.ts'
import { Empty } from '#web/ui/Empty.tsx'
import { ChatFrame } from './ChatFrame.tsx'
import { GroupList } from './ConversationLists.tsx'
import { chatText } from './text.ts'

export default function MyGroupsPage() {
  const t = useText(chatText)
  return (
    <ChatFrame
      title={t.yourGroups}
      kind="groups"
      pane="list"
      list={(me) => <GroupList me={me} current={null} />}
      thread={() => (
        <section className="thread" aria-label={t.chooseGroup}>
          <Empty plain title={t.chooseGroup} />
        </section>
      )}
    />
  )
}
