import { defineFeatureModule } from '#core/module.ts'
import '#features/people/events.ts'
import { deleteMutualPostLikes } from './blocks.ts'
import { bookmarkEndpoints } from './bookmark-contract.ts'
import { postChannelDefinitions, postEndpoints } from './contract.ts'
import { postEditEndpoints } from './edit-contract.ts'
import { postExportSection } from './export.ts'
import { getPostListReaders } from './feeds.ts'
import { countPostsAndPicturesOfMember, deletePostsLikesAndBookmarksOfMember } from './member-deletion.ts'
import { pages } from './pages.ts'
import { postPinEndpoints } from './pin-contract.ts'
import { postPictureRetention } from './retention.ts'
import {
  createBookmarkEndpointHandlers,
  createPostEditEndpointHandlers,
  createPostEndpointHandlers,
  createPostImageAccessGuards,
  createPostPinEndpointHandlers,
} from './routes.ts'
import { postPictureStatisticsDefinition, postStatistics } from './statistics.ts'
import { postsMigrations } from './tables.ts'

export const postsModule = defineFeatureModule({
  name: 'posts',
  pages,
  statistics: postStatistics,
  storedFiles: postPictureStatisticsDefinition,
  countContent: countPostsAndPicturesOfMember,
  retention: postPictureRetention,
  migrations: postsMigrations,
  exportSection: postExportSection,
  contracts: {
    posts: postEndpoints,
    postEdits: postEditEndpoints,
    bookmarks: bookmarkEndpoints,
    pins: postPinEndpoints,
  },
  channels: postChannelDefinitions,
  listeners: {
    'member.deleted': (tx, { id }, context) => deletePostsLikesAndBookmarksOfMember(context, tx, id),
    'member.blocked': (tx, block, context) => deleteMutualPostLikes(context, tx, block),
  },
  mediaGuards: createPostImageAccessGuards,
  routes: (context) => {
    const feeds = getPostListReaders(context)
    return {
      posts: createPostEndpointHandlers(context, feeds),
      postEdits: createPostEditEndpointHandlers(context),
      bookmarks: createBookmarkEndpointHandlers(feeds),
      pins: createPostPinEndpointHandlers(context, feeds),
    }
  },
})
