import './events.ts'
import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineFeatureModule } from '#core/module.ts'
import { startAnnouncementJobRunner } from './announcements.ts'
import { deleteOldNotifications } from './cleanup.ts'
import { notificationEndpoints } from './contract.ts'
import { notificationExportSection } from './export.ts'
import { notificationDomainEventListeners } from './listeners.ts'
import { pageDefinitions } from './pages.ts'
import { createNotificationEndpointHandlers, notificationSettingEndpointHandlers } from './routes.ts'
import { notificationSettingEndpoints } from './settings-contract.ts'
import { notificationsMigrations } from './tables.ts'

export const notificationsModule = defineFeatureModule({
  name: 'notifications',
  pages: pageDefinitions,
  initialData: [notificationEndpoints.unread],
  migrations: notificationsMigrations,
  exportSection: notificationExportSection,
  contracts: { notifications: notificationEndpoints, notificationSettings: notificationSettingEndpoints },
  routes: (context) => ({
    notifications: createNotificationEndpointHandlers(context),
    notificationSettings: notificationSettingEndpointHandlers,
  }),
  listeners: notificationDomainEventListeners,
  startBackgroundWork(context, _, jobRetryDelays) {
    const jobs = startAnnouncementJobRunner(context, jobRetryDelays)
    const cleanup = startHourlyCleanup(
      context,
      (signal) => deleteOldNotifications(context.db, signal),
      'Old notifications could not be deleted; tried again in an hour',
    )
    return { close: () => Promise.all([jobs.close(), cleanup.close()]) }
  },
})
