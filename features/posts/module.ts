import { defineModule } from '#core/module.ts'
import '#features/people/events.ts'
import { deleteMutualPostLikes } from './blocks.ts'
import { postChannelDefinitions, postEndpoints } from './contract.ts'
import { postExportSection } from './export.ts'
import { countPostsAndPictures, deletePostsAndLikes } from './member-deletion.ts'
import { pages } from './pages.ts'
import { postRetention } from './retention.ts'
import { createPostMediaGuards, createPostRoutes } from './routes.ts'
import { postPictureFileKind, postStatistics } from './statistics.ts'
import { migrations } from './tables.ts'

export const postsModule = defineModule({
  name: 'posts',
  pages,
  statistics: postStatistics,
  storedFiles: postPictureFileKind,
  countContent: countPostsAndPictures,
  retention: postRetention,
  migrations,
  exportSection: postExportSection,
  contracts: { posts: postEndpoints },
  channels: postChannelDefinitions,
  listeners: {
    'member.deleted': (tx, { id }, context) => deletePostsAndLikes(context, tx, id),
    'member.blocked': (tx, block, context) => deleteMutualPostLikes(context, tx, block),
  },
  mediaGuards: createPostMediaGuards,
  routes: (context) => ({ posts: createPostRoutes(context) }),
})
