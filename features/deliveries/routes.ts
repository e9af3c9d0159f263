import type { Handlers } from '#core/http/endpoints.ts'
import type { deliveryEndpoints, deliveryHealthEndpoints } from './contract.ts'
import { getHealth } from './health.ts'
import * as read from './read.ts'

export const deliveryHandlers: Handlers<typeof deliveryEndpoints> = {
  list: (context) => read.list(context, context.input),
  message: (context) => read.getMessage(context, context.input.id),
  notification: (context) => read.getNotification(context, context.input.id),
}

export const healthHandlers: Handlers<typeof deliveryHealthEndpoints> = {
  show: (context) => getHealth(context),
}
