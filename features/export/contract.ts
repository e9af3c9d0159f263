import { endpoints } from '#core/contract.ts'
import type { exportSchemas } from './schemas.ts'

export type { ExportState } from './schemas.ts'

export const exportEndpoints = endpoints<typeof exportSchemas>({
  state: 'GET /api/account/export',
  storage: 'GET /api/account/storage',
  request: 'POST /api/account/export',
  remove: 'DELETE /api/account/export',
  archive: 'GET /api/account/export/archive',
})
