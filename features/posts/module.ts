import { defineModule } from '#core/module.ts'
import '#features/people/events.ts'
import { deleteMutualLikes } from './blocks.ts'
import { postChannelDefinitions, postEndpoints } from './contract.ts'
import { postExportSection } from './export.ts'
import { countPostsAndPictures, deletePostsAndLikes } from './member-deletion.ts'
import { pages } from './pages.ts'
import { createPostRoutes } from './routes.ts'
import { postStatistics } from './statistics.ts'
import { migrations } from './tables.ts'

export const postsModule = defineModule({
  name: 'posts',
  pages,
  statistics: postStatistics,
  countContent: countPostsAndPictures,
  migrations,
  exportSection: postExportSection,
  contracts: { posts: postEndpoints },
  channels: postChannelDefinitions,
  listeners: {
    'member.deleted': (tx, { id }, context) => deletePostsAndLikes(context, tx, id),
    'member.blocked': (tx, block, context) => deleteMutualLikes(context, tx, block),
  },
  routes: (context) => ({ posts: createPostRoutes(context) }),
})
