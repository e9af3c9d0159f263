import { ayaPrivateChats } from './chats/aya.ts'
import { benPrivateChats } from './chats/ben.ts'
import { breadPrivateChat } from './chats/bread.ts'
import { ayaGroupChats } from './chats/groups.ts'
import { toDemoMessages } from './messages.ts'

export const privateChats = [breadPrivateChat, ...ayaPrivateChats, ...benPrivateChats].map((chat) => ({
  chat,
  messages: toDemoMessages(chat),
}))
export const groupChats = ayaGroupChats.map((chat) => ({ chat, messages: toDemoMessages(chat) }))
