import { defineFeatureModule } from '#core/module.ts'
import '#features/people/events.ts'
import { deleteMutualPostLikes } from './blocks.ts'
import { bookmarkEndpoints } from './bookmark-contract.ts'
import { postChannelDefinitions, postEndpoints } from './contract.ts'
import { postEditEndpoints } from './edit-contract.ts'
import { postExportSection } from './export.ts'
import { getPostListReadFunctions } from './feeds.ts'
import { countPostsAndPicturesOfMember, deletePostsAndLikesAndBookmarksOfMember } from './member-deletion.ts'
import { pageDefinitions } from './pages.ts'
import { postPinEndpoints } from './pin-contract.ts'
import { postPictureRetentionFunctions } from './retention.ts'
import {
  createBookmarkEndpointHandlers,
  createPostEditEndpointHandlers,
  createPostEndpointHandlers,
  createPostImageAccessGuardsByName,
  createPostPinEndpointHandlers,
} from './routes.ts'
import { postPictureStatisticsDefinition, postStatisticsQueries } from './statistics.ts'
import { postsMigrations } from './tables.ts'

export const postsModule = defineFeatureModule({
  name: 'posts',
  pages: pageDefinitions,
  statistics: postStatisticsQueries,
  storedFiles: postPictureStatisticsDefinition,
  countContent: countPostsAndPicturesOfMember,
  retention: postPictureRetentionFunctions,
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
    'member.deleted': (tx, { id }, context) => deletePostsAndLikesAndBookmarksOfMember(context, tx, id),
    'member.blocked': (tx, block, context) => deleteMutualPostLikes(context, tx, block),
  },
  mediaGuards: createPostImageAccessGuardsByName,
  routes: (context) => {
    const feeds = getPostListReadFunctions(context)
    return {
      posts: createPostEndpointHandlers(context, feeds),
      postEdits: createPostEditEndpointHandlers(context),
      bookmarks: createBookmarkEndpointHandlers(feeds),
      pins: createPostPinEndpointHandlers(context, feeds),
    }
  },
})
