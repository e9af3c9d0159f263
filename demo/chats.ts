import { demoBusyPrivateChatDefinitionsOfAya } from './chats/aya.ts'
import { demoQuietPrivateChatDefinitionsOfAya } from './chats/aya-neighbours.ts'
import { demoBusyPrivateChatDefinitionsOfBen } from './chats/ben.ts'
import { demoQuietPrivateChatDefinitionsOfBenOrChiharu } from './chats/ben-neighbours.ts'
import { demoBreadPrivateChatDefinition } from './chats/bread.ts'
import { demoGroupChatDefinitions } from './chats/groups.ts'
import { createDemoMessagesFromChatDefinition } from './messages.ts'

export const demoPrivateChatsWithMessages = [
  demoBreadPrivateChatDefinition,
  ...demoBusyPrivateChatDefinitionsOfAya,
  ...demoQuietPrivateChatDefinitionsOfAya,
  ...demoBusyPrivateChatDefinitionsOfBen,
  ...demoQuietPrivateChatDefinitionsOfBenOrChiharu,
].map((chat) => ({
  chat,
  messages: createDemoMessagesFromChatDefinition(chat),
}))
export const demoGroupChatsWithMessages = demoGroupChatDefinitions.map((chat) => ({
  chat,
  messages: createDemoMessagesFromChatDefinition(chat),
}))
