import { defineModule } from '#core/module.ts'
import { postChannels, postEndpoints } from './contract.ts'
import { postExportSection } from './export.ts'
import { pages } from './pages.ts'
import { createPostRoutes } from './routes.ts'
import { postStatistics } from './statistics.ts'
import { migrations } from './tables.ts'

export const postsModule = defineModule({
  name: 'posts',
  pages,
  statistics: postStatistics,
  migrations,
  exportSection: postExportSection,
  contracts: { posts: postEndpoints },
  channels: postChannels,
  routes: (context) => ({ posts: createPostRoutes(context) }),
})
