import type { Me, Person } from '#features/people/contract.ts'
import type { Image } from '#features/posts/contract.ts'
import type { Group, GroupMessage, GroupMessageEvent, PrivateChat, PrivateMessage } from '../contract.ts'

/** A message of either kind of chat, as the views show it. */
export interface Message {
  id: number
  client_id: string | null
  author: Person
  message: string
  images: readonly Image[]
  created_at: string
  edited_at: string | null
  deleted_at: string | null
}

/** A message as the server sends it. */
export type MessageRow = PrivateMessage | GroupMessage | GroupMessageEvent

/** What the server says about a conversation, besides its messages. */
export type ConversationInfo = PrivateChat | Group
export const isGroup = (info: ConversationInfo): info is Group => 'members_count' in info

export function toMessage(row: MessageRow, me: Me, info: ConversationInfo): Message {
  const { id, client_id, message, images, created_at, edited_at, deleted_at } = row
  const author = 'user' in row ? row.user : row.from_user_id === me.id ? me : (info as PrivateChat).user
  return { id, client_id, author, message, images, created_at, edited_at, deleted_at }
}
