import './events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { startHourly } from '#core/process/hourly-cleanup.ts'
import * as announcements from './announcements.ts'
import { deleteOld } from './cleanup.ts'
import { notificationEndpoints, settingEndpoints } from './contract.ts'
import { exportSection } from './export.ts'
import { notificationListeners } from './listeners.ts'
import { readNews } from './news.ts'
import { notificationHandlers, settingHandlers } from './routes.ts'
import { notificationSchemas, settingSchemas } from './schemas.ts'
import { serverPages } from './server-pages.ts'
import { wantsMail } from './settings.ts'
import { notificationMigrations } from './tables.ts'

export const notificationsModule = defineFeature({
  name: 'notifications',
  pages: serverPages,
  initialData: [notificationEndpoints.unread],
  migrations: notificationMigrations,
  exportSection: exportSection,
  contracts: {
    notifications: [notificationEndpoints, notificationSchemas],
    notificationSettings: [settingEndpoints, settingSchemas],
  },
  news: readNews,
  routes: () => ({
    notifications: notificationHandlers,
    notificationSettings: settingHandlers,
  }),
  listeners: notificationListeners,
  provides: () => ({ wantsMail }),
  startBackgroundWork(context, _, jobRetryDelays) {
    const jobs = announcements.startRunner(context, jobRetryDelays)
    const cleanup = startHourly(
      context,
      (signal) => deleteOld(context.db, signal),
      'Old notifications could not be deleted; tried again in an hour',
    )
    return { close: () => Promise.all([jobs.close(), cleanup.close()]) }
  },
})
