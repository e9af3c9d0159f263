import { demoFrequentPrivateChatsOfAya } from './chats/aya.ts'
import { demoRarePrivateChatsOfAya } from './chats/aya-neighbours.ts'
import { demoFrequentPrivateChatsOfBen } from './chats/ben.ts'
import { demoRarePrivateChatsOfBenAndChiharu } from './chats/ben-neighbours.ts'
import { demoBreadPrivateChatDefinition } from './chats/bread.ts'
import { demoGroupChatDefinitions } from './chats/groups.ts'
import { createDemoMessagesFromChatDefinition } from './messages.ts'

export const demoPrivateChatsWithMessages = [
  demoBreadPrivateChatDefinition,
  ...demoFrequentPrivateChatsOfAya,
  ...demoRarePrivateChatsOfAya,
  ...demoFrequentPrivateChatsOfBen,
  ...demoRarePrivateChatsOfBenAndChiharu,
].map((chat) => ({
  chat,
  messages: createDemoMessagesFromChatDefinition(chat),
}))
export const demoGroupChatsWithMessages = demoGroupChatDefinitions.map((chat) => ({
  chat,
  messages: createDemoMessagesFromChatDefinition(chat),
}))
