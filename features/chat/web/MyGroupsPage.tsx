import { ChatFrame } from './ChatFrame.tsx'

export default function MyGroupsPage() {
  return <ChatFrame filter="groups" />
}
