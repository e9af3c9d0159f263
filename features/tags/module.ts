import '#features/posts/events.ts'
import { defineModule } from '#core/module.ts'
import { tagEndpoints } from './contract.ts'
import { storeTags } from './model.ts'
import { pages } from './pages.ts'
import { createTagHandlers } from './routes.ts'
import { migrations } from './tables.ts'

export const tagsModule = defineModule({
  name: 'tags',
  pages,
  migrations,
  contracts: { tags: tagEndpoints },
  routes: (context) => ({ tags: createTagHandlers(context) }),
  listeners: {
    'post.created': (tx, event, context) => storeTags(context, tx, event, { isNew: true }),
    'post.edited': (tx, event, context) => storeTags(context, tx, event, { isNew: false }),
  },
})
