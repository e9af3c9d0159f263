import { Link } from 'wouter'
import type { Me } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { useStore } from '#web/store.ts'
import { ConversationRow } from './ConversationRow.tsx'
import { chatState, conversationKey, type ListedConversation, newestFirst } from './chat-state.ts'
import { useConversationList } from './chat-sync.ts'
import { chatText } from './text.ts'

const MOST_ROWS = 5

/** Conversations with unread messages, and my other groups. Where they do not load, chat pages say why. */
export default function ChatSidebar({ me }: { me: Me }) {
  const t = useText(chatText)
  const counts = useStore(chatState, (state) => state.unread)
  const chats = useConversationList('private').rows
  const groups = useConversationList('groups').rows
  if (!chats || !groups) return null

  const unread = [...chats, ...groups].filter(({ kind, id }) => counts[kind][id]).sort(newestFirst)
  const otherGroups = groups.filter(({ id }) => !counts.groups[id])
  if (!unread.length && !groups.length)
    return (
      <section>
        <h2>{t.conversations}</h2>
        <p className="soft">{t.nothingWaits}</p>
        <Link className="link" href="/follow">
          {t.searchUsers}
        </Link>
      </section>
    )
  return (
    <>
      <Rows title={t.waitingForYou} conversations={unread} me={me} />
      <Rows title={t.yourGroups} conversations={otherGroups} me={me} withoutMessage />
    </>
  )
}

interface RowsProps {
  title: string
  conversations: readonly ListedConversation[]
  me: Me
  withoutMessage?: boolean
}
const Rows = ({ title, conversations, me, ...rest }: RowsProps) =>
  conversations.length > 0 && (
    <section>
      <h2>{title}</h2>
      <ul className="rows">
        {conversations.slice(0, MOST_ROWS).map((one) => (
          <ConversationRow
            key={conversationKey(one)}
            conversation={one}
            me={me.id}
            current={false}
            {...rest}
          />
        ))}
      </ul>
    </section>
  )
