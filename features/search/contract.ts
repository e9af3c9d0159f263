import { endpoints } from '#core/contract.ts'
import type { searchSchemas } from './schemas.ts'

export const searchEndpoints = endpoints<typeof searchSchemas>({
  list: 'GET /api/search',
  overview: 'GET /api/search/overview',
  attachments: 'GET /api/search/attachments',
})

/** In code points. */
export const MAX_QUERY = 300

export type { Attached, Hit, HitKind, Overview } from './schemas.ts'
