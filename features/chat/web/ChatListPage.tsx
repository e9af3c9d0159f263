import { useLocation } from 'wouter'
import { ChatTwoPaneLayout } from './ChatTwoPaneLayout.tsx'
import { getConversationFilterOfPathOrLast } from './ConversationList.tsx'

/**
 * Renders the page with the list of conversations. The path of the page decides which filter the list has.
 */
export default function ChatListPage() {
  const filter = getConversationFilterOfPathOrLast(useLocation()[0])
  return <ChatTwoPaneLayout key={filter} filter={filter} />
}
