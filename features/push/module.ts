import '#features/messages/events.ts'
import '#features/notifications/events.ts'
import './events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { startHourly } from '#core/process/hourly-cleanup.ts'
import * as notificationSettings from '#features/notifications/settings.ts'
import { pushEndpoints } from './contract.ts'
import { startRunners } from './delivery.ts'
import { exportSection } from './export.ts'
import { pageSections } from './page-sections.ts'
import { pageDefinitions } from './pages.ts'
import * as queue from './queue.ts'
import { pushHandlers } from './routes.ts'
import { pushSchemas } from './schemas.ts'
import { pushMigrations } from './tables.ts'

export const pushModule = defineFeature({
  name: 'push',
  pages: pageDefinitions,
  pageSections,
  migrations: pushMigrations,
  exportSection: exportSection,
  contracts: { push: [pushEndpoints, pushSchemas] },
  routes: () => ({ push: pushHandlers() }),
  listeners: {
    'message.created': (tx, message) => queue.enqueueMessage(tx, message),
    'notification.created': async (tx, { id, user_id, kind }) => {
      // The listener of `message.created` already sends one for the first message of a private chat, and for
      // a message that quotes or mentions the member, if the member wants push messages for chats.
      if (kind === 'first_message') return
      const isAboutMessage = kind === 'quote' || kind === 'group_mention'
      if (isAboutMessage && (await notificationSettings.isOn(tx, user_id, 'message', 'push'))) return
      await queue.enqueueOne(tx, { id, user_id })
    },
    'notifications.created': async (tx, { kind, notifications }) => {
      const wanted = await notificationSettings.leaveOutOffAtFirst(tx, kind, 'push', notifications)
      if (wanted.length) await queue.enqueueMany(tx, wanted)
    },
    'notification.settings_changed': (tx, { user_id }) => queue.enqueueHeld(tx, user_id),
  },
  startBackgroundWork(context, _, jobRetryDelays) {
    const jobs = startRunners(context, jobRetryDelays)
    const cleanup = startHourly(
      context,
      (signal) => queue.deleteOld(context, signal),
      'Old push messages could not be deleted; tried again in an hour',
    )
    return { close: () => Promise.all([jobs.close(), cleanup.close()]) }
  },
})
