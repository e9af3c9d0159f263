import { endpoints } from '#core/contract.ts'
import type { digestSchemas } from './schemas.ts'

export type { DigestFrequency, DigestSettings } from './schemas.ts'

export const digestEndpoints = endpoints<typeof digestSchemas>({
  settings: 'GET /api/digest',
  save: 'PUT /api/digest',
  unsubscribe: 'POST /digest/unsubscribe/:token',
})
