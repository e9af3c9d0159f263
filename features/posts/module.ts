import { defineModule } from '#core/module.ts'
import '#features/people/events.ts'
import { deleteMutualPostLikes } from './blocks.ts'
import { bookmarkEndpoints } from './bookmark-contract.ts'
import { postChannelDefinitions, postEndpoints } from './contract.ts'
import { postEditEndpoints } from './edit-contract.ts'
import { postExportSection } from './export.ts'
import { getPostListReaders } from './feeds.ts'
import { countPostsAndPicturesOfMember, deletePostsAndLikes } from './member-deletion.ts'
import { pages } from './pages.ts'
import { pinEndpoints } from './pin-contract.ts'
import { postPictureRetention } from './retention.ts'
import {
  createBookmarkHandlers,
  createPinHandlers,
  createPostEditHandlers,
  createPostHandlers,
  createPostMediaGuards,
} from './routes.ts'
import { postPictureFileKind, postStatistics } from './statistics.ts'
import { migrations } from './tables.ts'

export const postsModule = defineModule({
  name: 'posts',
  pages,
  statistics: postStatistics,
  storedFiles: postPictureFileKind,
  countContent: countPostsAndPicturesOfMember,
  retention: postPictureRetention,
  migrations,
  exportSection: postExportSection,
  contracts: {
    posts: postEndpoints,
    postEdits: postEditEndpoints,
    bookmarks: bookmarkEndpoints,
    pins: pinEndpoints,
  },
  channels: postChannelDefinitions,
  listeners: {
    'member.deleted': (tx, { id }, context) => deletePostsAndLikes(context, tx, id),
    'member.blocked': (tx, block, context) => deleteMutualPostLikes(context, tx, block),
  },
  mediaGuards: createPostMediaGuards,
  routes: (context) => {
    const feeds = getPostListReaders(context)
    return {
      posts: createPostHandlers(context, feeds),
      postEdits: createPostEditHandlers(context),
      bookmarks: createBookmarkHandlers(feeds),
      pins: createPinHandlers(context, feeds),
    }
  },
})
