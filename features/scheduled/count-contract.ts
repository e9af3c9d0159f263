import { endpoints } from '#core/contract.ts'
import type { countSchemas } from './schemas.ts'

// Every page needs it, so it is apart from the rest.

export const countEndpoints = endpoints<typeof countSchemas>({ get: 'GET /api/scheduled/count' })

/** In the member's own channel (`presence-user.ID`): the number of what waits, or what it is, has changed. */
export const CHANGED_EVENT = 'ScheduledChanged'
