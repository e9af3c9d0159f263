import { endpoints } from '#core/contract.ts'
import type { reactionSchemas } from './schemas.ts'

export type { EmojiCount, ReactionEvents, Reactor, SubjectKind, Summaries } from './schemas.ts'

/** Posts in one request; also replies, and messages. */
export const MAX_SUBJECT_IDS = 100

export const reactionEndpoints = endpoints<typeof reactionSchemas>({
  summaries: 'GET /api/reactions',
  postReactors: 'GET /api/posts/:id/reactions',
  addToPost: 'PUT /api/posts/:id/reactions/:emoji',
  removeFromPost: 'DELETE /api/posts/:id/reactions/:emoji',
  replyReactors: 'GET /api/replies/:id/reactions',
  addToReply: 'PUT /api/replies/:id/reactions/:emoji',
  removeFromReply: 'DELETE /api/replies/:id/reactions/:emoji',
  messageReactors: 'GET /api/chat-messages/:id/reactions',
  addToMessage: 'PUT /api/chat-messages/:id/reactions/:emoji',
  removeFromMessage: 'DELETE /api/chat-messages/:id/reactions/:emoji',
})
