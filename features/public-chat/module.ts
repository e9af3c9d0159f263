import { defineFeature } from '#core/feature/module.ts'
import { isChildAccount } from '#features/people/children.ts'
import { publicChannels, publicEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'
import { publicHandlers } from './routes.ts'
import { publicChannelSchemas, publicSchemas } from './schemas.ts'

export const publicChatModule = defineFeature({
  name: 'public-chat',
  isDemo: true,
  // Anybody may write here to everybody, so no guardian can say who reaches a child.
  isHiddenFrom: ({ db }, me) => isChildAccount(db, me),
  pages: pageDefinitions,
  contracts: { publicChat: [publicEndpoints, publicSchemas] },
  channels: [publicChannels, publicChannelSchemas],
  guards: ({ db }) => ({ publicChat: async (me) => !(await isChildAccount(db, me)) }),
  routes: (context) => ({ publicChat: publicHandlers(context) }),
})
