import { endpoints } from '#core/contract.ts'
import type { acknowledgementSchemas } from './schemas.ts'

export type {
  AcknowledgementCounts,
  AcknowledgementState,
  AcknowledgementStates,
  AskingPost,
  Reader,
  ReaderState,
} from './schemas.ts'

/** Posts in one request. */
export const MAX_POSTS = 100
/** Of one post. */
export const MAX_PLANNED = 3
/** In ms, between two reminders of one post. */
export const REMINDER_INTERVAL = 12 * 3600_000
/** The server counts no further. */
export const MAX_WAITING = 100

export const acknowledgementEndpoints = endpoints<typeof acknowledgementSchemas>({
  states: 'GET /api/acknowledgements',
  count: 'GET /api/acknowledgements/count',
  waiting: 'GET /api/acknowledgements/waiting',
  asked: 'GET /api/acknowledgements/asked',
  all: 'GET /api/acknowledgements/all',
  add: 'PUT /api/posts/:id/acknowledgement',
  remove: 'DELETE /api/posts/:id/acknowledgement',
  readers: 'GET /api/posts/:id/acknowledgements',
  file: 'GET /api/posts/:id/acknowledgements.csv',
  remind: 'POST /api/posts/:id/acknowledgement-reminders',
  askAgain: 'POST /api/posts/:id/acknowledgement-request',
  end: 'DELETE /api/posts/:id/acknowledgement-request',
})

/**
 * In the member's own channel (`presence-user.ID`): somebody has read the member's post, or the member has
 * read `post_id`, perhaps in another window.
 */
export const CHANGED_EVENT = 'AcknowledgementChanged'
