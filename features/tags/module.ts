import '#features/posts/events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { tagEndpoints } from './contract.ts'
import { storeTags } from './model.ts'
import { createTagHandlers } from './routes.ts'
import { tagSchemas } from './schemas.ts'
import { serverPages } from './server-pages.ts'
import { tagsMigrations } from './tables.ts'

export const tagsModule = defineFeature({
  name: 'tags',
  pages: serverPages,
  migrations: tagsMigrations,
  contracts: { tags: [tagEndpoints, tagSchemas] },
  routes: (context) => ({ tags: createTagHandlers(context) }),
  listeners: {
    'post.created': (tx, event, context) => storeTags(context, tx, event, { isNew: true }),
    'post.edited': (tx, event, context) => storeTags(context, tx, event, { isNew: false }),
  },
})
