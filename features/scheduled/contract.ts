import { endpoints } from '#core/contract.ts'
import type { scheduledSchemas } from './schemas.ts'

export type { Scheduled } from './schemas.ts'

/** Of one member, with those that could not be sent. */
export const MAX_SCHEDULED = 50
/** In ms. */
export const MIN_AHEAD = 60_000
/** In ms: a year, also a leap year. */
export const MAX_AHEAD = 366 * 86_400_000

export const scheduledEndpoints = endpoints<typeof scheduledSchemas>({
  list: 'GET /api/scheduled',
  addPost: 'POST /api/scheduled/posts',
  addMessage: 'POST /api/scheduled/messages',
  change: 'PUT /api/scheduled/:id',
  sendNow: 'POST /api/scheduled/:id/send',
  cancel: 'DELETE /api/scheduled/:id',
})
