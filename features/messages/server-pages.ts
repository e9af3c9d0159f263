import { addToPages } from '#core/feature/pages.ts'
import { definePreloadImage } from '#core/media/preload.ts'
import { conversationEndpoints } from '#features/conversations/contract.ts'
import { peopleEndpoints } from '#features/people/contract.ts'
import { messageEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'
import { preloadMessagePicture } from './preload.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/privatechat/:id': {
    initialData: [
      conversationEndpoints.privateChat,
      messageEndpoints.privateMessages,
      conversationEndpoints.privateChats,
      conversationEndpoints.groups,
      peopleEndpoints.followedUsers,
    ],
    preloadImage: [definePreloadImage(messageEndpoints.privateMessages, preloadMessagePicture)],
  },
  '/group-chat/:id': {
    initialData: [
      messageEndpoints.groupChat,
      messageEndpoints.groupMessages,
      conversationEndpoints.privateChats,
      conversationEndpoints.groups,
      peopleEndpoints.followedUsers,
    ],
    preloadImage: [definePreloadImage(messageEndpoints.groupMessages, preloadMessagePicture)],
  },
})
