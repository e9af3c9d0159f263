import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { notificationEndpoints } from './contract.ts'
import { markNotificationsRead } from './model.ts'
import { listNotifications, readNewestUnreadNotifications } from './read.ts'
import { markNotificationsAboutPostRead } from './reading.ts'
import { readNotificationSettings, saveNotificationSettings } from './settings.ts'
import type { notificationSettingEndpoints } from './settings-contract.ts'

export const notificationSettingHandlers: EndpointHandlers<typeof notificationSettingEndpoints> = {
  get: (context) => readNotificationSettings(context),
  save: (context) => saveNotificationSettings(context, context.input),
}

export const notificationHandlers: EndpointHandlers<typeof notificationEndpoints> = {
  list: (context) => listNotifications(context, context.input),
  unread: (context) => readNewestUnreadNotifications(context),
  markRead: (context) => markNotificationsRead(context, context.input.last_event_id),
  markPostRead: (context) => markNotificationsAboutPostRead(context, context.input),
}
