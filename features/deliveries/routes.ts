import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { deliveryEndpoints, deliveryHealthEndpoints } from './contract.ts'
import { readDeliveryHealth } from './health.ts'
import { listOwnDeliveriesWithSteps, readMessageDelivery, readNotificationDelivery } from './read.ts'

export const deliveryEndpointHandlers: EndpointHandlers<typeof deliveryEndpoints> = {
  list: (context) => listOwnDeliveriesWithSteps(context, context.input),
  message: (context) => readMessageDelivery(context, context.input.id),
  notification: (context) => readNotificationDelivery(context, context.input.id),
}

export const deliveryHealthEndpointHandlers: EndpointHandlers<typeof deliveryHealthEndpoints> = {
  show: (context) => readDeliveryHealth(context),
}
