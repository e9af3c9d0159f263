import { endpoints } from '#core/contract.ts'
import type { rotaSchemas } from './schemas.ts'

export type { Job, Rota } from './schemas.ts'

/** Of one date. */
export const MAX_JOBS = 40
export const MAX_TITLE = 100
export const MAX_PLACES = 50
/** A car belongs to whoever drives it; a task to those who plan the event. */
export const kinds = ['task', 'car'] as const

export const rotaEndpoints = endpoints<typeof rotaSchemas>({
  list: 'GET /api/events/dates/:id/rota',
  add: 'POST /api/events/dates/:id/rota',
  change: 'PUT /api/rota/:id',
  remove: 'DELETE /api/rota/:id',
  join: 'PUT /api/rota/:id/people',
  leave: 'DELETE /api/rota/:id/people',
})
