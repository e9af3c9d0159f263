import { defineFeatureModule } from '#core/module.ts'
import { isChildAccount } from '#features/people/children.ts'
import { publicChatChannelDefinitions, publicChatEndpoints } from './contract.ts'
import { pageDefinitions } from './pages.ts'
import { createPublicChatEndpointHandlers } from './routes.ts'

export const publicChatModule = defineFeatureModule({
  name: 'public-chat',
  isDemo: true,
  // Anybody may write here to everybody, so no guardian can say who reaches a child.
  isHiddenFrom: ({ db }, me) => isChildAccount(db, me),
  pages: pageDefinitions,
  contracts: { publicChat: publicChatEndpoints },
  channels: publicChatChannelDefinitions,
  guards: ({ db }) => ({ publicChat: async (me) => !(await isChildAccount(db, me)) }),
  routes: (context) => ({ publicChat: createPublicChatEndpointHandlers(context) }),
})
