import { Link } from 'wouter'
import type { Me } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { useStore } from '#web/store.ts'
import { ConversationRow } from './ConversationRow.tsx'
import { chatState, conversationKey, newestFirst } from './chat-state.ts'
import { useConversationList } from './conversation-lists.ts'
import { chatText } from './text.ts'

const MOST_UNREAD_CHATS = 5
const MOST_GROUPS = 5

/**
 * Conversations with unread messages, and my other groups. Empty where they do not load: the chat pages say
 * why.
 */
export default function ChatSidebar({ me }: { me: Me }) {
  const t = useText(chatText)
  const counts = useStore(chatState, (state) => state.unread)
  const chats = useConversationList('private').rows
  const groups = useConversationList('groups').rows
  if (!chats || !groups) return null

  const unread = [...chats, ...groups].filter(({ kind, id }) => counts[kind][id]).sort(newestFirst)
  const otherGroups = groups.filter(({ id }) => !counts.groups[id])
  const row = { me: me.id, current: false }
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
      {unread.length > 0 && (
        <section>
          <h2>{t.waitingForYou}</h2>
          <ul className="rows">
            {unread.slice(0, MOST_UNREAD_CHATS).map((one) => (
              <ConversationRow key={conversationKey(one)} conversation={one} {...row} />
            ))}
          </ul>
        </section>
      )}
      {otherGroups.length > 0 && (
        <section>
          <h2>{t.yourGroups}</h2>
          <ul className="rows">
            {otherGroups.slice(0, MOST_GROUPS).map((one) => (
              <ConversationRow key={one.id} conversation={one} withoutMessage {...row} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
