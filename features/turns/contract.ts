import { endpoints } from '#core/contract.ts'
import type { turnSchemas } from './schemas.ts'

export type { Line, Planned, Turn, TurningGroup } from './schemas.ts'

/** At once. */
export const MAX_GROUPS = 200
/** Who leave, or join, one group. */
export const MAX_PEOPLE = 500

export const turnEndpoints = endpoints<typeof turnSchemas>({
  groups: 'GET /api/admin/turns/groups',
  members: 'GET /api/admin/turns/groups/:id/members',
  list: 'GET /api/admin/turns',
  preview: 'POST /api/admin/turns/preview',
  make: 'POST /api/admin/turns',
  undo: 'POST /api/admin/turns/:id/undo',
})
