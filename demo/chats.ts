import { ayaBusyChats } from './chats/aya.ts'
import { ayaQuietChats } from './chats/aya-neighbours.ts'
import { benBusyChats } from './chats/ben.ts'
import { benQuietChats } from './chats/ben-neighbours.ts'
import { breadChat } from './chats/bread.ts'
import { demoGroupChatDefinitions } from './chats/groups.ts'
import { messagesOf } from './messages.ts'

export const privateChats = [
  breadChat,
  ...ayaBusyChats,
  ...ayaQuietChats,
  ...benBusyChats,
  ...benQuietChats,
].map((chat) => ({
  chat,
  messages: messagesOf(chat),
}))
export const groupChats = demoGroupChatDefinitions.map((chat) => ({
  chat,
  messages: messagesOf(chat),
}))
