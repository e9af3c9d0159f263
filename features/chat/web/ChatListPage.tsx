import { useLocation } from 'wouter'
import { ChatFrame } from './ChatFrame.tsx'
import { filterOf } from './ConversationList.tsx'

/** The list of conversations. Its path is the filter. */
export default function ChatListPage() {
  const filter = filterOf(useLocation()[0])
  return <ChatFrame key={filter} filter={filter} />
}
