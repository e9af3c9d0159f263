import { aya } from './chats/aya.ts'
import { ben } from './chats/ben.ts'
import { bread } from './chats/bread.ts'
import { groups } from './chats/groups.ts'
import { messagesOf } from './messages.ts'

export const privateChats = [bread, ...aya, ...ben].map((chat) => ({ chat, messages: messagesOf(chat) }))
export const groupChats = groups.map((chat) => ({ chat, messages: messagesOf(chat) }))
