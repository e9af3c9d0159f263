import { defineModule } from '#core/module.ts'
import { channels, posts } from './contract.ts'
import { pages } from './pages.ts'
import { routes } from './routes.ts'
import { statistics } from './statistics.ts'
import { migrations } from './tables.ts'

export const postsModule = defineModule({
  name: 'posts',
  pages,
  statistics,
  migrations,
  contracts: { posts },
  channels,
  routes: (context) => ({ posts: routes(context) }),
})
