import { ChatFrame } from './ChatFrame.tsx'

export default function ChatsPage() {
  return <ChatFrame filter="all" />
}
