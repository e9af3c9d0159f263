import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { notificationEndpoints } from './contract.ts'
import { markNotificationsRead } from './model.ts'
import { countUnreadNotifications, listNotifications } from './read.ts'

export const notificationRoutes: EndpointHandlers<typeof notificationEndpoints> = {
  list: (context) => listNotifications(context, context.input),
  unread: (context) => countUnreadNotifications(context),
  markRead: (context) => markNotificationsRead(context, context.input.last_event_id),
}
