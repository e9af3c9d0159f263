import { endpoints } from '#core/contract.ts'
import type { sinceSchemas } from './schemas.ts'

export type { News, NewsEntry, NewsSection } from './schemas.ts'

/** Of each part. */
export const MAX_SHOWN = 6

export const sinceEndpoints = endpoints<typeof sinceSchemas>({
  news: 'GET /api/since',
  away: 'GET /api/since/away',
  done: 'POST /api/since/done',
})

/** In the member's own channel (`presence-user.ID`): the member has seen all, perhaps on another device. */
export const CHANGED_EVENT = 'SinceChanged'
