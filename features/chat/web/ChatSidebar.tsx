import type { Me } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { useStore } from '#web/store.ts'
import { Link } from '#web/ui/Link.tsx'
import { ConversationRow } from './ConversationRow.tsx'
import {
  chatStateStore,
  compareConversationsByLastActivity,
  type ListedConversation,
  toConversationKey,
} from './chat-state.ts'
import { useConversationListOfKind } from './conversation-lists.ts'
import { chatText } from './text.ts'

const MAX_ROWS = 5

/**
 * Renders the chats in the sidebar of the app: conversations with unread messages, and the user's other
 * groups. Renders nothing if the lists fail to load, because the chat pages show the error.
 */
export default function ChatSidebar({ me }: { me: Me }) {
  const t = useText(chatText)
  const counts = useStore(chatStateStore, (state) => state.unread)
  const chats = useConversationListOfKind('private').rows
  const groups = useConversationListOfKind('groups').rows
  if (!chats || !groups) return null

  const unread = [...chats, ...groups]
    .filter(({ kind, id }) => counts[kind][id])
    .sort(compareConversationsByLastActivity)
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
          <ConversationRow
            key={toConversationKey(one)}
            conversation={one}
            me={me.id}
            isCurrent={false}
            {...rest}
          />
        ))}
      </ul>
    </section>
  )
