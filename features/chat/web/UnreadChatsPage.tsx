import { ChatFrame } from './ChatFrame.tsx'

export default function UnreadChatsPage() {
  return <ChatFrame filter="unread" />
}
