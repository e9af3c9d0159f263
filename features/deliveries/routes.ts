import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { deliveryEndpoints, deliveryHealthEndpoints } from './contract.ts'
import { readDeliveryHealth } from './health.ts'
import {
  listMessagesAndNotificationsWithDeliverySteps,
  readMessageWithDeliverySteps,
  readNotificationWithDeliverySteps,
} from './read.ts'

export const deliveryEndpointHandlers: EndpointHandlers<typeof deliveryEndpoints> = {
  list: (context) => listMessagesAndNotificationsWithDeliverySteps(context, context.input),
  message: (context) => readMessageWithDeliverySteps(context, context.input.id),
  notification: (context) => readNotificationWithDeliverySteps(context, context.input.id),
}

export const deliveryHealthEndpointHandlers: EndpointHandlers<typeof deliveryHealthEndpoints> = {
  show: (context) => readDeliveryHealth(context),
}
