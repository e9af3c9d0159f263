import { defineFeature, extra } from '#core/feature/module.ts'
import { noInputSchema } from '#core/schemas.ts'
import '#features/people/events.ts'
import { tell } from './announcements.ts'
import { deleteMutualLikes } from './blocks.ts'
import { bookmarkEndpoints, editEndpoints, pinEndpoints, postChannels, postEndpoints } from './contract.ts'
import { exportSection } from './export.ts'
import { getFeeds } from './feeds.ts'
import { countPosts, deleteOfMember } from './member-deletion.ts'
import { readNews } from './news.ts'
import { pictureRetention } from './retention.ts'
import { bookmarkHandlers, editHandlers, mediaGuards, pinHandlers, postHandlers } from './routes.ts'
import { bookmarkSchemas, editSchemas, pinSchemas, postChannelSchemas, postSchemas } from './schemas.ts'
import { serverPages } from './server-pages.ts'
import { pictureSizes, postStatistics } from './statistics.ts'
import { postsMigrations } from './tables.ts'

export const postsModule = defineFeature({
  name: 'posts',
  pages: serverPages,
  statistics: postStatistics,
  storedFiles: pictureSizes,
  countContent: countPosts,
  retention: pictureRetention,
  migrations: postsMigrations,
  exportSection: exportSection,
  contracts: {
    posts: [postEndpoints, postSchemas],
    postEdits: [editEndpoints, editSchemas],
    bookmarks: [bookmarkEndpoints, bookmarkSchemas],
    pins: [pinEndpoints, pinSchemas],
  },
  channels: [postChannels, postChannelSchemas],
  extras: { tell: extra(['post'], noInputSchema, tell) },
  listeners: {
    'member.deleted': (tx, { id }, context) => deleteOfMember(context, tx, id),
    'member.blocked': (tx, block, context) => deleteMutualLikes(context, tx, block),
  },
  mediaGuards,
  news: readNews,
  routes: (context) => {
    const feeds = getFeeds(context)
    return {
      posts: postHandlers(context, feeds),
      postEdits: editHandlers(context),
      bookmarks: bookmarkHandlers(feeds),
      pins: pinHandlers(context, feeds),
    }
  },
})
