import { useLocation } from 'wouter'
import { ChatFrame } from './ChatFrame.tsx'
import { getFilterOfPathOrLastFilter } from './ConversationList.tsx'

/** The page with the list of conversations. The path of the page decides which filter the list has. */
export default function ChatListPage() {
  const filter = getFilterOfPathOrLastFilter(useLocation()[0])
  return <ChatFrame key={filter} filter={filter} />
}
