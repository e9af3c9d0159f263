import { addToPages } from '#core/feature/pages.ts'
import { peopleEndpoints } from '#features/people/contract.ts'
import { conversationEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'

export const serverPages = addToPages(pageDefinitions, {
  '/chats': {
    appShortcutPosition: 20,
    initialData: [
      conversationEndpoints.privateChats,
      conversationEndpoints.groups,
      peopleEndpoints.followedUsers,
    ],
  },
  '/chats/unread': { initialData: [conversationEndpoints.privateChats, conversationEndpoints.groups] },
  '/users': { initialData: [conversationEndpoints.privateChats, peopleEndpoints.followedUsers] },
  '/my-groups': { initialData: [conversationEndpoints.groups] },
})
