import './events.ts'
import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineModule } from '#core/module.ts'
import { deleteOldNotifications } from './cleanup.ts'
import { notificationEndpoints } from './contract.ts'
import { notificationExportSection } from './export.ts'
import { notificationListeners } from './listeners.ts'
import { pages } from './pages.ts'
import { createNotificationHandlers, notificationSettingHandlers } from './routes.ts'
import { notificationSettingEndpoints } from './settings-contract.ts'
import { migrations } from './tables.ts'

export const notificationsModule = defineModule({
  name: 'notifications',
  pages,
  initialData: [notificationEndpoints.unread],
  migrations,
  exportSection: notificationExportSection,
  contracts: { notifications: notificationEndpoints, notificationSettings: notificationSettingEndpoints },
  routes: (context) => ({
    notifications: createNotificationHandlers(context),
    notificationSettings: notificationSettingHandlers,
  }),
  listeners: notificationListeners,
  startBackgroundWork: (context) =>
    startHourlyCleanup(
      context,
      () => deleteOldNotifications(context.db),
      'Old notifications could not be deleted; tried again in an hour',
    ),
})
