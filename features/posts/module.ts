import { defineModule } from '#core/module.ts'
import { channels, postEndpoints } from './contract.ts'
import { pages } from './pages.ts'
import { createPostRoutes } from './routes.ts'
import { statistics } from './statistics.ts'
import { migrations } from './tables.ts'

export const postsModule = defineModule({
  name: 'posts',
  pages,
  statistics,
  migrations,
  contracts: { posts: postEndpoints },
  channels,
  routes: (context) => ({ posts: createPostRoutes(context) }),
})
