import type { Me } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { useStore } from '#web/store.ts'
import { Link } from '#web/ui/Link.tsx'
import { useConversations } from './lists.ts'
import { Row } from './Row.tsx'
import type { ListedConversation } from './state.ts'
import * as chatState from './state.ts'
import { chatText } from './text.ts'

const MAX_ROWS = 5

/** Renders nothing if the lists fail to load, because the chat pages show the error. */
export default function Sidebar({ me }: { me: Me }) {
  const t = useText(chatText)
  const counts = useStore(chatState.store, (state) => state.unread)
  const chats = useConversations('private').rows
  const groups = useConversations('groups').rows
  if (!chats || !groups) return null

  const unread = [...chats, ...groups].filter(({ kind, id }) => counts[kind][id]).sort(chatState.byActivity)
  const otherGroups = groups.filter(({ id }) => !counts.groups[id])
  if (!unread.length && !groups.length)
    return (
      <section>
        <h2>{t.conversations}</h2>
        <p className="text-soft">{t.noUnreadChats}</p>
        <Link className="link" href="/follow">
          {t.searchUsers}
        </Link>
      </section>
    )
  return (
    <>
      <SidebarRows title={t.unreadChats} conversations={unread} me={me} />
      <SidebarRows title={t.yourGroups} conversations={otherGroups} me={me} withoutMessage />
    </>
  )
}

interface RowsProps {
  title: string
  conversations: readonly ListedConversation[]
  me: Me
  withoutMessage?: boolean
}
const SidebarRows = ({ title, conversations, me, ...rest }: RowsProps) =>
  conversations.length > 0 && (
    <section>
      <h2>{title}</h2>
      <ul className="rows">
        {conversations.slice(0, MAX_ROWS).map((one) => (
          <Row key={chatState.keyOf(one)} conversation={one} me={me.id} isCurrent={false} {...rest} />
        ))}
      </ul>
    </section>
  )
