import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { deliveryEndpoints, deliveryHealthEndpoints } from './contract.ts'
import { readDeliveryHealth } from './health.ts'
import { listDeliveries, readMessageDelivery, readNotificationDelivery } from './read.ts'

export const deliveryHandlers: EndpointHandlers<typeof deliveryEndpoints> = {
  list: (context) => listDeliveries(context, context.input),
  message: (context) => readMessageDelivery(context, context.input.id),
  notification: (context) => readNotificationDelivery(context, context.input.id),
}

export const deliveryHealthHandlers: EndpointHandlers<typeof deliveryHealthEndpoints> = {
  show: (context) => readDeliveryHealth(context),
}
