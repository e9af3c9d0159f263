import { defineFeatureModule } from '#core/module.ts'
import '#features/people/events.ts'
import '#features/posts/events.ts'
import { replyEndpoints } from './contract.ts'
import {
  countRepliesOfMemberAsNamedCount,
  deleteRepliesByAndToDeletedMember,
  deleteRepliesToPost,
  setPictureAccessOfRepliesToPost,
} from './deletion.ts'
import { replyExportSection } from './export.ts'
import { listInitialDataCallsForLatestReplies } from './initial-data.ts'
import { latestReplyEndpoints } from './latest-contract.ts'
import { deleteMutualReplyLikes } from './likes.ts'
import { sectionsAddedToOtherPages } from './page-sections.ts'
import { pageDefinitions } from './pages.ts'
import {
  createLatestReplyEndpointHandlers,
  createReplyEndpointHandlers,
  createReplyImageAccessGuardsByName,
} from './routes.ts'
import { replyPictureStatisticsDefinition } from './statistics.ts'
import { repliesMigrations } from './tables.ts'

export const repliesModule = defineFeatureModule({
  name: 'replies',
  pages: pageDefinitions,
  sectionsAddedToOtherPages,
  listFurtherInitialCalls: listInitialDataCallsForLatestReplies,
  storedFiles: replyPictureStatisticsDefinition,
  countContent: countRepliesOfMemberAsNamedCount,
  migrations: repliesMigrations,
  exportSection: replyExportSection,
  contracts: { replies: replyEndpoints, latestReplies: latestReplyEndpoints },
  listeners: {
    'post.deleted': async (tx, { id, with_account }, context) => {
      // Does nothing if the post is deleted together with the account of its author, because the listener of
      // `member.deleted` below then deletes the replies to all posts of the member at once.
      if (!with_account) await deleteRepliesToPost(context, tx, id)
    },
    'post.hidden': (tx, { id }) => setPictureAccessOfRepliesToPost(tx, id, false),
    'post.restored': (tx, { id, is_public }) => setPictureAccessOfRepliesToPost(tx, id, is_public),
    'member.deleted': (tx, { id }, context) => deleteRepliesByAndToDeletedMember(context, tx, id),
    'member.blocked': (tx, block, context) => deleteMutualReplyLikes(context, tx, block),
  },
  mediaGuards: createReplyImageAccessGuardsByName,
  routes: (context) => ({
    replies: createReplyEndpointHandlers(context),
    latestReplies: createLatestReplyEndpointHandlers(context),
  }),
})
