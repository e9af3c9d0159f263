import { endpoints } from '#core/contract.ts'
import type { mentionSchemas } from './schemas.ts'

export type { Candidate } from './schemas.ts'

export const MAX_CANDIDATES = 8

export const mentionEndpoints = endpoints<typeof mentionSchemas>({
  candidates: 'GET /api/mention-candidates',
})
