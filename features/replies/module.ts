import { defineModule } from '#core/module.ts'
import '#features/people/events.ts'
import '#features/posts/events.ts'
import { replyEndpoints } from './contract.ts'
import {
  changePictureGuardOfRepliesToPost,
  countRepliesOfMember,
  deleteRepliesOfMember,
  deleteRepliesToPost,
} from './deletion.ts'
import { replyExportSection } from './export.ts'
import { listInitialLatestReplyCalls } from './initial-data.ts'
import { latestReplyEndpoints } from './latest-contract.ts'
import { deleteMutualReplyLikes } from './likes.ts'
import { sectionsOnOtherPages } from './page-sections.ts'
import { pages } from './pages.ts'
import { createLatestReplyHandlers, createReplyHandlers, createReplyMediaGuards } from './routes.ts'
import { replyPictureFileKind } from './statistics.ts'
import { migrations } from './tables.ts'

export const repliesModule = defineModule({
  name: 'replies',
  pages,
  sectionsOnOtherPages,
  listFurtherInitialCalls: listInitialLatestReplyCalls,
  storedFiles: replyPictureFileKind,
  countContent: countRepliesOfMember,
  migrations,
  exportSection: replyExportSection,
  contracts: { replies: replyEndpoints, latestReplies: latestReplyEndpoints },
  listeners: {
    'post.deleted': async (tx, { id, with_account }, context) => {
      // If the post is deleted with the account of its author, the listener of `member.deleted` below
      // deletes the replies to all posts of the member at once.
      if (!with_account) await deleteRepliesToPost(context, tx, id)
    },
    'post.hidden': (tx, { id }) => changePictureGuardOfRepliesToPost(tx, id, false),
    'post.restored': (tx, { id, is_public }) => changePictureGuardOfRepliesToPost(tx, id, is_public),
    'member.deleted': (tx, { id }, context) => deleteRepliesOfMember(context, tx, id),
    'member.blocked': (tx, block, context) => deleteMutualReplyLikes(context, tx, block),
  },
  mediaGuards: createReplyMediaGuards,
  routes: (context) => ({
    replies: createReplyHandlers(context),
    latestReplies: createLatestReplyHandlers(context),
  }),
})
