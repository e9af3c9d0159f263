import { endpoints } from '#core/contract.ts'
import type { draftSchemas } from './schemas.ts'

export type { Draft } from './schemas.ts'

/** In characters. */
export const MAX_MORE = 20_000
/** Of one member. The oldest go first. */
export const MAX_DRAFTS = 100

export const draftEndpoints = endpoints<typeof draftSchemas>({
  list: 'GET /api/drafts',
  save: 'PUT /api/drafts',
})
