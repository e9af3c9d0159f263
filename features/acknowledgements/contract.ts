import { endpoints } from '#core/contract.ts'
import type { acknowledgementSchemas } from './schemas.ts'

export type {
  AcknowledgementCounts,
  AcknowledgementState,
  AcknowledgementStates,
  Reader,
  ReaderState,
} from './schemas.ts'

/** Posts in one request. */
export const MAX_POSTS = 100

export const acknowledgementEndpoints = endpoints<typeof acknowledgementSchemas>({
  states: 'GET /api/acknowledgements',
  add: 'PUT /api/posts/:id/acknowledgement',
  remove: 'DELETE /api/posts/:id/acknowledgement',
  readers: 'GET /api/posts/:id/acknowledgements',
  askAgain: 'POST /api/posts/:id/acknowledgement-request',
  end: 'DELETE /api/posts/:id/acknowledgement-request',
})

/**
 * In the member's own channel (`presence-user.ID`): somebody has read the member's post, or the member has
 * read `post_id`, perhaps in another window.
 */
export const CHANGED_EVENT = 'AcknowledgementChanged'
