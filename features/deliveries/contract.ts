import { endpoints } from '#core/contract.ts'
import type { deliveryHealthSchemas, deliverySchemas } from './schemas.ts'

export type { ChannelHealth, Delivery, DeliveryHealth, DeliveryStep, ProviderHealth } from './schemas.ts'

export const RETENTION_DAYS = 7

export const deliveryEndpoints = endpoints<typeof deliverySchemas>({
  list: 'GET /api/deliveries',
  message: 'GET /api/chat-messages/:id/delivery',
  notification: 'GET /api/notifications/:id/delivery',
})

export const deliveryHealthEndpoints = endpoints<typeof deliveryHealthSchemas>({
  show: 'GET /api/admin/deliveries',
})
