import { endpoints } from '#core/contract.ts'
import type { pushSchemas } from './schemas.ts'

export type { PushDevice, PushPrivacy, PushSettings, SubscriptionInput } from './schemas.ts'

export const MAX_DEVICES = 20

export const pushEndpoints = endpoints<typeof pushSchemas>({
  settings: 'GET /api/push',
  update: 'PATCH /api/push',
  subscribe: 'POST /api/push/devices',
  unsubscribe: 'DELETE /api/push/devices/:id',
  test: 'POST /api/push/devices/:id/test',
})
