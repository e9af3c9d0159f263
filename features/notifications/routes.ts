import type { AppContext } from '#core/context.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { notificationEndpoints } from './contract.ts'
import { markNotificationsReadUpToEvent } from './model.ts'
import { createCachedUnreadNotificationCountReader, listNotifications } from './read.ts'
import { markNotificationsAboutPostRead } from './reading.ts'
import { readNotificationSettings, saveNotificationSettings } from './settings.ts'
import type { notificationSettingEndpoints } from './settings-contract.ts'

export const notificationSettingEndpointHandlers: EndpointHandlers<typeof notificationSettingEndpoints> = {
  get: (context) => readNotificationSettings(context),
  save: (context) => saveNotificationSettings(context, context.input),
}

export const createNotificationEndpointHandlers = (
  app: AppContext,
): EndpointHandlers<typeof notificationEndpoints> => ({
  list: (context) => listNotifications(context, context.input),
  unread: createCachedUnreadNotificationCountReader(app),
  markRead: (context) => markNotificationsReadUpToEvent(context, context.input.last_event_id),
  markPostRead: (context) => markNotificationsAboutPostRead(context, context.input),
})
