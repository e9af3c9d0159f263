import { defineModule } from '#core/module.ts'
import { posts } from './contract.ts'
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
  routes: (context) => ({ posts: routes(context) }),
})
