import { ChatFrame } from './ChatFrame.tsx'

export default function UsersPage() {
  return <ChatFrame filter="private" />
}
