import { ayaPrivateChats } from './chats/aya.ts'
import { ayaOccasionalChats } from './chats/aya-neighbours.ts'
import { benPrivateChats } from './chats/ben.ts'
import { occasionalPrivateChats } from './chats/ben-neighbours.ts'
import { breadPrivateChat } from './chats/bread.ts'
import { ayaGroupChats } from './chats/groups.ts'
import { createMessagesFromChatScript } from './messages.ts'

export const privateChats = [
  breadPrivateChat,
  ...ayaPrivateChats,
  ...ayaOccasionalChats,
  ...benPrivateChats,
  ...occasionalPrivateChats,
].map((chat) => ({
  chat,
  messages: createMessagesFromChatScript(chat),
}))
export const groupChats = ayaGroupChats.map((chat) => ({
  chat,
  messages: createMessagesFromChatScript(chat),
}))
