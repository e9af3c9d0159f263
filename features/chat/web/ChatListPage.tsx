import { useLocation } from 'wouter'
import { ChatFrame } from './ChatFrame.tsx'
import { findConversationFilter } from './ConversationList.tsx'

/** The page with the list of conversations. The path decides which filter is used. */
export default function ChatListPage() {
  const filter = findConversationFilter(useLocation()[0])
  return <ChatFrame key={filter} filter={filter} />
}
