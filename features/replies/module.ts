import { defineFeature } from '#core/feature/module.ts'
import '#features/people/events.ts'
import '#features/posts/events.ts'
import { latestEndpoints, replyEndpoints } from './contract.ts'
import { countReplies, deleteOfMember, deleteOfPost, setPictureAccess } from './deletion.ts'
import { exportSection } from './export.ts'
import { initialCalls } from './initial-data.ts'
import { deleteMutualLikes } from './likes.ts'
import { pageSections } from './page-sections.ts'
import { pageDefinitions } from './pages.ts'
import { latestHandlers, mediaGuards, replyHandlers } from './routes.ts'
import { latestSchemas, replySchemas } from './schemas.ts'
import { pictureSizes } from './statistics.ts'
import { replyMigrations } from './tables.ts'

export const repliesModule = defineFeature({
  name: 'replies',
  pages: pageDefinitions,
  pageSections,
  listFurtherInitialCalls: initialCalls,
  storedFiles: pictureSizes,
  countContent: countReplies,
  migrations: replyMigrations,
  exportSection: exportSection,
  contracts: { replies: [replyEndpoints, replySchemas], latestReplies: [latestEndpoints, latestSchemas] },
  listeners: {
    'post.deleted': async (tx, { id, with_account }, context) => {
      // With the account, the listener of `member.deleted` below deletes the replies to all posts at once.
      if (!with_account) await deleteOfPost(context, tx, id)
    },
    'post.hidden': (tx, { id }) => setPictureAccess(tx, id, false),
    'post.restored': (tx, { id, is_public }) => setPictureAccess(tx, id, is_public),
    'member.deleted': (tx, { id }, context) => deleteOfMember(context, tx, id),
    'member.blocked': (tx, block, context) => deleteMutualLikes(context, tx, block),
  },
  mediaGuards,
  routes: (context) => ({
    replies: replyHandlers(context),
    latestReplies: latestHandlers,
  }),
})
