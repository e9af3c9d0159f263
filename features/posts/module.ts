import { defineModule } from '#core/module.ts'
import { posts } from './contract.ts'
import { routes } from './routes.ts'
import { migrations } from './tables.ts'

export const postsModule = defineModule({
  name: 'posts',
  migrations,
  contracts: { posts },
  routes: (context) => ({ posts: routes(context) }),
})
