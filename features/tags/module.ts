import '#features/posts/events.ts'
import { defineFeatureModule } from '#core/module.ts'
import { tagEndpoints } from './contract.ts'
import { storeTagsOfPost } from './model.ts'
import { pageDefinitions } from './pages.ts'
import { createTagEndpointHandlers } from './routes.ts'
import { tagsMigrations } from './tables.ts'

export const tagsModule = defineFeatureModule({
  name: 'tags',
  pages: pageDefinitions,
  migrations: tagsMigrations,
  contracts: { tags: tagEndpoints },
  routes: (context) => ({ tags: createTagEndpointHandlers(context) }),
  listeners: {
    'post.created': (tx, event, context) => storeTagsOfPost(context, tx, event, { isNew: true }),
    'post.edited': (tx, event, context) => storeTagsOfPost(context, tx, event, { isNew: false }),
  },
})
